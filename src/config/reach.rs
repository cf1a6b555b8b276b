//! How a server is to be reached: era, transport, revision, and how it is answered.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use super::ConfigError;
use super::file::FileConfig;
use super::merge::Words;
use super::parse::{nearest_or_all, shown};
use crate::model::contact::{Answer, Carrier, Era, EraChoice, Reach};
use crate::model::target::Target;
use crate::protocol::revision::Revision;

/// What was said about it, not yet checked.
pub(super) struct ReachWords {
    era: Option<String>,
    transport: Option<String>,
    protocol: Option<String>,
    answer: Option<String>,
}

/// What forces a transport.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Transport {
    Http,
    Sse,
    Stdio,
}

impl ReachWords {
    /// Flag over file.
    pub(super) fn of(words: &Words, config: &FileConfig) -> Self {
        let pick =
            |word: &Option<String>, file: &Option<String>| word.clone().or_else(|| file.clone());
        let file = &config.target;
        Self {
            era: pick(&words.era, &file.era),
            transport: pick(&words.transport, &file.transport),
            protocol: pick(&words.protocol, &file.protocol),
            answer: pick(&words.answer, &file.answer),
        }
    }

    /// The words, checked against each other and the target.
    pub(super) fn read(&self, target: &Target) -> Result<Reach, ConfigError> {
        let era = word("era", self.era.as_deref(), &ERAS)?.unwrap_or_default();
        let transport = word("transport", self.transport.as_deref(), &TRANSPORTS)?;
        let answer = word("answer", self.answer.as_deref(), &ANSWERS)?;
        let revision = self.protocol.as_deref().map(revision).transpose()?;
        let era = match revision.as_ref().map(Revision::is_modern) {
            None => era,
            Some(is_modern) => {
                let of_revision = if is_modern { Era::Modern } else { Era::Legacy };
                if let EraChoice::Only(only) = era
                    && only != of_revision
                {
                    return Err(ConfigError::new(format!(
                        "era: {} and protocol {} do not fit together; leave one out",
                        only.word(),
                        self.protocol.as_deref().unwrap_or_default()
                    )));
                }
                EraChoice::Only(of_revision)
            }
        };
        if transport == Some(Transport::Sse) && era == EraChoice::Only(Era::Modern) {
            return Err(ConfigError::new(
                "transport: sse has no modern era; leave out one of them",
            ));
        }
        let carrier = match (transport, target) {
            (None, _) | (Some(Transport::Stdio), Target::Command(_)) => None,
            (Some(Transport::Http), Target::Url(_)) => Some(Carrier::StreamableHttp),
            (Some(Transport::Sse), Target::Url(_)) => Some(Carrier::Sse),
            (Some(Transport::Stdio), Target::Url(_)) => {
                return Err(ConfigError::new(
                    "transport: stdio is for servers that mcprobe starts; this target is a URL",
                ));
            }
            (Some(Transport::Http | Transport::Sse), Target::Command(_)) => {
                return Err(ConfigError::new(
                    "transport: http and sse are for URL targets; this one is started and speaks stdio",
                ));
            }
        };
        Ok(Reach {
            era,
            carrier,
            revision,
            answer,
        })
    }
}

const ERAS: [(&str, EraChoice); 3] = [
    ("both", EraChoice::Both),
    ("legacy", EraChoice::Only(Era::Legacy)),
    ("modern", EraChoice::Only(Era::Modern)),
];

const TRANSPORTS: [(&str, Transport); 3] = [
    ("http", Transport::Http),
    ("sse", Transport::Sse),
    ("stdio", Transport::Stdio),
];

const ANSWERS: [(&str, Answer); 4] = [
    ("accept", Answer::Accept),
    ("decline", Answer::Decline),
    ("cancel", Answer::Cancel),
    ("silence", Answer::Silence),
];

fn word<T: Copy>(
    what: &str,
    said: Option<&str>,
    known: &[(&str, T)],
) -> Result<Option<T>, ConfigError> {
    let Some(said) = said else {
        return Ok(None);
    };
    if let Some((_, found)) = known.iter().find(|(word, _)| *word == said) {
        return Ok(Some(*found));
    }
    let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
    Err(ConfigError::new(format!(
        "{what}: `{}` is none; {}",
        shown(said),
        nearest_or_all(said, &words)
    )))
}

fn revision(said: &str) -> Result<Revision, ConfigError> {
    let revision = Revision::read(said);
    if revision.is_published() {
        return Ok(revision);
    }
    let known = Revision::PUBLISHED.each_ref().map(Revision::as_str);
    Err(ConfigError::new(format!(
        "protocol: `{}` is no published revision; {}",
        shown(said),
        nearest_or_all(said, &known)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::target::ServerCommand;
    use url::Url;

    fn read(target: &Target, words: [&str; 4]) -> Result<Reach, String> {
        let [era, transport, protocol, answer] =
            words.map(|word| (!word.is_empty()).then(|| word.to_owned()));
        let words = ReachWords {
            era,
            transport,
            protocol,
            answer,
        };
        words.read(target).map_err(|error| error.message)
    }

    #[test]
    fn words_fit_together_or_are_refused() {
        let url = Target::Url(Url::parse("http://127.0.0.1/mcp").expect("an address"));
        let command = Target::Command(ServerCommand::default());
        assert_eq!(read(&url, ["", "", "", ""]), Ok(Reach::default()));
        let forced = read(&url, ["", "sse", "2024-11-05", "decline"]).expect("a reach");
        assert_eq!(forced.era, EraChoice::Only(Era::Legacy));
        assert_eq!(forced.carrier, Some(Carrier::Sse));
        assert_eq!(forced.revision, Some(Revision::V2024_11_05));
        assert_eq!(forced.answer, Some(Answer::Decline));
        let stdio = read(&command, ["modern", "stdio", "2026-07-28", ""]).expect("a reach");
        assert_eq!(stdio.era, EraChoice::Only(Era::Modern));
        for (target, words, says) in [
            (
                &url,
                ["old", "", "", ""],
                "era: `old` is none; use one of `both`, `legacy`, `modern`",
            ),
            (
                &url,
                ["", "ssl", "", ""],
                "transport: `ssl` is none; did you mean `sse`?",
            ),
            (
                &url,
                ["", "", "2025-06-19", ""],
                "did you mean `2025-06-18`?",
            ),
            (&url, ["", "", "", "yes"], "answer: `yes` is none"),
            (
                &url,
                ["modern", "", "2025-06-18", ""],
                "do not fit together",
            ),
            (&url, ["modern", "sse", "", ""], "no modern era"),
            (&url, ["", "stdio", "", ""], "this target is a URL"),
            (&command, ["", "http", "", ""], "for URL targets"),
        ] {
            let message = read(target, words).expect_err(says);
            assert!(message.contains(says), "{message}");
        }
    }
}
