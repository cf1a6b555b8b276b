//! Strings that a server has a chance to work with: by `format`, by the words of
//! the property's name, within the lengths.

use rand_chacha::ChaCha8Rng;
use rand_core::Rng as _;
use serde_json::{Map, Value};

use super::pattern;
use super::scratch::Paths;

/// Strings longer than this are not made.
const LONGEST: usize = 20_000;

/// Strings to try, split by how sure they are.
pub(super) struct Texts {
    /// Plausible for name and format; a pattern may refuse them.
    pub(super) plausible: Vec<String>,
    /// Made from the pattern.
    pub(super) from_pattern: Vec<String>,
}

/// Strings to try, the most plausible first. `salt` makes the members of a set
/// differ.
pub(super) fn texts(
    keywords: &Map<String, Value>,
    words: &[String],
    paths: &Paths,
    salt: usize,
    rng: &mut ChaCha8Rng,
) -> Texts {
    let min = length(keywords, "minLength").unwrap_or(0);
    let max = length(keywords, "maxLength").unwrap_or(usize::MAX);
    let mut texts = Texts {
        plausible: Vec::new(),
        from_pattern: Vec::new(),
    };
    if min > max || min > LONGEST {
        return texts;
    }
    let format = keywords.get("format").and_then(Value::as_str);
    let formatted = format.and_then(|format| by_format(format, salt, rng));
    let named = by_name(words, paths, salt, rng);
    // The last ones are for schemas that exclude the plain ones.
    let plain = [
        formatted.clone(),
        Some(named),
        Some(salted("probe", salt)),
        Some(salted("example", salt)),
        Some(salted("a", salt + 1)),
        Some(String::new()).filter(|_| salt == 0),
    ];
    for text in plain.into_iter().flatten() {
        if (min..=max).contains(&text.chars().count()) {
            texts.plausible.push(text.clone());
        }
        // A format breaks when it is cut or stretched.
        if formatted.is_none() {
            texts.plausible.push(fitted(&text, min, max, salt));
        }
    }
    if let Some(pattern) = keywords.get("pattern").and_then(Value::as_str) {
        texts.from_pattern = pattern::texts(pattern, (min, max.min(LONGEST)), salt, rng);
    }
    texts
}

/// A non-negative whole keyword; 3.0 counts as 3.
pub(super) fn length(keywords: &Map<String, Value>, keyword: &str) -> Option<usize> {
    let value = keywords.get(keyword)?;
    if let Some(whole) = value.as_u64() {
        return usize::try_from(whole).ok();
    }
    let value = value.as_f64().filter(|value| *value >= 0.0)?;
    // Anything this large is beyond all our limits alike.
    format!("{:.0}", value.min(1e15)).parse().ok()
}

/// Stretched or cut to the lengths, the end kept apart by the salt.
fn fitted(text: &str, min: usize, max: usize, salt: usize) -> String {
    let length = text.chars().count();
    if length < min {
        return text
            .chars()
            .chain("-probe".chars().cycle())
            .take(min)
            .collect();
    }
    if length <= max {
        return text.to_owned();
    }
    if salt == 0 {
        return text.chars().take(max).collect();
    }
    // Too short for a suffix: the salt itself, in letters, then digits.
    let mut rest = salt;
    (0..max)
        .map(|_| {
            let digit = u8::try_from(rest % 36).unwrap_or(0);
            rest /= 36;
            char::from(if digit < 26 {
                b'a' + digit
            } else {
                b'0' + digit - 26
            })
        })
        .collect()
}

fn salted(text: &str, salt: usize) -> String {
    if salt == 0 {
        text.to_owned()
    } else {
        format!("{text}{}", salt + 1)
    }
}

/// A text of the format; `None` for formats that we do not know.
fn by_format(format: &str, salt: usize, rng: &mut ChaCha8Rng) -> Option<String> {
    let day = salt % 28 + 1;
    Some(match format {
        "date-time" => format!("2024-01-{day:02}T12:00:00Z"),
        "date" => format!("2024-01-{day:02}"),
        "time" => format!("12:{:02}:00Z", salt % 60),
        "duration" => format!("PT{}H", salt + 1),
        "email" | "idn-email" => format!("{}@example.com", salted("probe", salt)),
        "hostname" | "idn-hostname" => format!("{}.example.com", salted("probe", salt)),
        "ipv4" => format!("127.0.0.{}", salt % 254 + 1),
        "ipv6" => format!("::{:x}", salt % 0xffff + 1),
        "uri" | "iri" | "url" => match salt {
            0 => "http://127.0.0.1:9/".to_owned(),
            _ => format!("http://127.0.0.1:9/{salt}"),
        },
        "uri-reference" | "iri-reference" | "json-pointer" => {
            format!("/{}", salted("probe", salt))
        }
        "uri-template" => format!("/{}/{{id}}", salted("probe", salt)),
        "relative-json-pointer" => salt.to_string(),
        "uuid" => uuid(rng),
        "regex" => salted("probe", salt),
        "byte" | "base64" => "cHJvYmU=".to_owned(),
        "color" => format!("#3366{:02x}", salt % 256),
        _ => return None,
    })
}

/// A random UUID, version 4.
fn uuid(rng: &mut ChaCha8Rng) -> String {
    let (high, low) = (rng.next_u64(), rng.next_u64());
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        (low >> 48) & 0x3fff | 0x8000,
        low & 0xffff_ffff_ffff,
    )
}

/// A text that is usual under this name.
fn by_name(words: &[String], paths: &Paths, salt: usize, rng: &mut ChaCha8Rng) -> String {
    let has = |word: &str| words.iter().any(|known| known == word);
    let last = words.last().map_or("", String::as_str);
    if has("timezone") || last == "tz" || (has("time") && last == "zone") {
        return ["UTC", "Europe/Paris", "Asia/Tokyo"][salt % 3].to_owned();
    }
    let format = match last {
        "email" | "mail" => "email",
        "url" | "uri" | "link" | "href" | "website" | "endpoint" => "uri",
        "uuid" | "guid" => "uuid",
        "date" | "day" | "since" | "until" => "date",
        "ip" => "ipv4",
        "host" | "hostname" | "domain" => "hostname",
        "color" | "colour" => "color",
        "duration" => "duration",
        "time" if words.len() == 1 => return format!("12:{:02}", salt % 60),
        "time" | "datetime" | "timestamp" => "date-time",
        _ => "",
    };
    if let Some(text) = by_format(format, salt, rng) {
        return text;
    }
    let text = match last {
        "dir" | "directory" | "folder" | "cwd" | "root" => paths.folder(),
        "path" if has("repo") || has("project") || has("dir") || has("directory") => paths.folder(),
        "path" | "file" | "filename" | "filepath" => {
            return paths
                .file(last, salt)
                .unwrap_or_else(|| format!("{}.txt", salted("probe", salt)));
        }
        "id" | "number" | "index" => return (salt + 1).to_string(),
        "query" | "search" | "keyword" | "term" | "q" => "test",
        "language" | "lang" => "en",
        "locale" => "en-US",
        "currency" => "USD",
        "country" => "US",
        "city" | "location" => "London",
        "version" => "1.0.0",
        "branch" => "main",
        "encoding" => "utf-8",
        "expression" | "formula" => "1 + 1",
        "sql" => "SELECT 1",
        "json" => "{}",
        "phone" => "+15550100",
        "month" => "01",
        "year" => "2024",
        _ => "probe",
    };
    salted(text, salt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::SeedableRng as _;
    use serde_json::json;

    #[test]
    fn every_known_format_passes_where_it_is_asserted() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for format in [
            "date-time",
            "date",
            "time",
            "email",
            "idn-email",
            "hostname",
            "idn-hostname",
            "ipv4",
            "ipv6",
            "uri",
            "iri",
            "uri-reference",
            "iri-reference",
            "uri-template",
            "json-pointer",
            "relative-json-pointer",
            "regex",
        ] {
            let schema =
                json!({"$schema": "http://json-schema.org/draft-07/schema#", "format": format});
            let validator = crate::schema::compile::compile(&schema).expect("a schema");
            for salt in 0..40 {
                let text = by_format(format, salt, &mut rng).expect("a known format");
                assert_eq!(
                    validator.accepts(&json!(text)),
                    Some(true),
                    "{format}: {text}"
                );
            }
        }
        assert_eq!(uuid(&mut rng).len(), 36);
    }

    #[test]
    fn lengths_are_met_and_names_are_heard() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut first = |schema: Value, name: &str| {
            let words = crate::rules::verbs::words(name);
            let keywords = schema.as_object().cloned().unwrap_or_default();
            texts(&keywords, &words, &Paths::default(), 0, &mut rng).plausible[0].clone()
        };
        assert_eq!(first(json!({}), "timeZone"), "UTC");
        assert_eq!(first(json!({}), "source_timezone"), "UTC");
        assert_eq!(first(json!({}), "repo_path"), ".");
        assert_eq!(first(json!({}), "outputFile"), "probe.txt");
        assert_eq!(first(json!({"minLength": 12}), "name"), "probe-probe-");
        assert_eq!(first(json!({"maxLength": 2}), "name"), "pr");
    }
}
