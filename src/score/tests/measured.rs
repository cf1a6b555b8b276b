use super::*;

/// Measured runs of the tool whose formula `classic` is: name, tools, findings,
/// malformed calls refused, accepted and crashed, valid calls that worked and
/// not, and the scores: schema by its later formula where no tool reaches the
/// limit (`contract`), schema by its earlier one, error handling, liveness,
/// overall by the earlier one.
type Measured = (
    &'static str,
    usize,
    [usize; 3],
    [usize; 3],
    [usize; 2],
    Option<f64>,
    [f64; 3],
    u32,
);

const MEASURED: [Measured; 11] = [
    (
        "demo",
        4,
        [1, 8, 6],
        [5, 4, 0],
        [4, 0],
        None,
        [3.5, 5.56, 10.0],
        73,
    ),
    (
        "self",
        6,
        [0, 0, 5],
        [18, 1, 0],
        [1, 4],
        Some(8.96),
        [8.75, 9.47, 2.0],
        76,
    ),
    (
        "memory",
        9,
        [0, 4, 0],
        [10, 6, 0],
        [6, 0],
        Some(8.89),
        [8.0, 6.25, 10.0],
        86,
    ),
    (
        "thinking",
        1,
        [0, 0, 0],
        [13, 1, 0],
        [1, 0],
        Some(10.0),
        [10.0, 9.29, 10.0],
        98,
    ),
    (
        "filesystem",
        14,
        [0, 18, 0],
        [34, 6, 0],
        [6, 4],
        Some(6.79),
        [1.0, 8.5, 6.0],
        64,
    ),
    (
        "everything",
        13,
        [0, 1, 4],
        [22, 9, 0],
        [9, 1],
        Some(9.42),
        [8.5, 7.1, 9.0],
        87,
    ),
    (
        "everything, all",
        13,
        [0, 1, 4],
        [24, 11, 4],
        [11, 2],
        Some(9.42),
        [8.5, 6.15, 8.46],
        83,
    ),
    (
        "time",
        2,
        [0, 0, 0],
        [10, 0, 0],
        [0, 2],
        Some(10.0),
        [10.0, 10.0, 0.0],
        75,
    ),
    (
        "git",
        12,
        [0, 22, 0],
        [46, 0, 0],
        [0, 10],
        Some(5.42),
        [0.0, 10.0, 0.0],
        50,
    ),
    (
        "fetch",
        1,
        [0, 0, 0],
        [6, 0, 0],
        [0, 1],
        Some(10.0),
        [10.0, 10.0, 0.0],
        75,
    ),
    (
        "gated",
        2,
        [0, 2, 2],
        [6, 2, 0],
        [2, 0],
        Some(6.25),
        [8.5, 7.5, 10.0],
        90,
    ),
];

#[test]
fn classic_gives_the_measured_scores() {
    for (name, tools, counts, malformed, valid, rate, [schema, errors, live], overall) in MEASURED {
        let outcomes = [Outcome::ToolError, Outcome::Ok, Outcome::ProtocolCrash];
        let mut rows = Vec::new();
        for (outcome, number) in outcomes.into_iter().zip(malformed) {
            rows.extend((0..number).map(|at| row(at % tools, CaseClass::Malformed, outcome)));
        }
        for (outcome, number) in [Outcome::Ok, Outcome::ToolError].into_iter().zip(valid) {
            rows.extend((0..number).map(|at| row(at % tools, CaseClass::Generated, outcome)));
        }
        let scores = score(&evidence(tools, rows), &findings(counts, tools));
        let classic = &scores.classic;
        assert_eq!(
            dimension(classic, Dimension::SchemaQuality),
            Some(schema),
            "{name}"
        );
        assert_eq!(
            dimension(classic, Dimension::ErrorHandling),
            Some(errors),
            "{name}"
        );
        assert_eq!(
            dimension(classic, Dimension::Liveness),
            Some(live),
            "{name}"
        );
        assert_eq!(classic.overall, Some(overall), "{name}");
        if rate.is_some() {
            let schema = dimension(&scores.contract, Dimension::SchemaQuality);
            assert_eq!(schema, rate, "{name}");
        }
    }
}
