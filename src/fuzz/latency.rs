//! How long calls took: the median and the slow end, per tool.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use crate::model::fuzz::{FuzzRow, Outcome};
use crate::model::report::ToolLatency;

/// The latencies of each tool with an answered call, in the order of the rows.
/// Percentiles are by nearest rank.
pub fn by_tool(rows: &[FuzzRow]) -> Vec<ToolLatency> {
    let mut tools: Vec<(&FuzzRow, Vec<u64>)> = Vec::new();
    for row in rows.iter().filter(|row| is_answered(row.outcome)) {
        match tools.last_mut() {
            // Rows of a tool stand together.
            Some((first, times)) if first.tool_index == row.tool_index => {
                times.push(row.latency_us);
            }
            _ => tools.push((row, vec![row.latency_us])),
        }
    }
    tools
        .into_iter()
        .map(|(first, mut times)| {
            times.sort_unstable();
            ToolLatency {
                tool: first.tool.clone(),
                tool_index: first.tool_index,
                calls: times.len(),
                p50_us: percentile(&times, 50),
                p95_us: percentile(&times, 95),
            }
        })
        .collect()
}

/// The median, by nearest rank, of a tool's calls that gave an answer and were not
/// refused; 0 where there is none.
pub fn median_of_answers(rows: &[FuzzRow], tool_index: usize) -> u64 {
    let good = |row: &&FuzzRow| row.tool_index == tool_index && row.outcome == Outcome::Ok;
    let mut times: Vec<u64> = rows.iter().filter(good).map(|row| row.latency_us).collect();
    times.sort_unstable();
    percentile(&times, 50)
}

const fn is_answered(outcome: Outcome) -> bool {
    match outcome {
        Outcome::Ok | Outcome::ToolError | Outcome::RpcError | Outcome::InputRequired => true,
        Outcome::Timeout | Outcome::ProtocolCrash => false,
    }
}

/// The value at a rank of sorted ones; 0 where there is none.
fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_by_nearest_rank() {
        assert_eq!(percentile(&[], 50), 0);
        assert_eq!(percentile(&[7], 95), 7);
        assert_eq!(percentile(&[1, 2], 50), 1);
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!(
            (percentile(&hundred, 50), percentile(&hundred, 95)),
            (50, 95)
        );
    }
}
