//! What the words of a tool's name say it does.
//!
//! One table serves the choice of what may be called and the safety rules. It
//! is English, closed, and exact: a word that is not in it says nothing.

/// What a verb does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum VerbKind {
    /// Looks and leaves everything as it is.
    Read,
    /// Makes or changes something.
    Write,
    /// Takes something away for good.
    Destroy,
    /// Sends something to other people or systems.
    Outbound,
    /// Runs code, commands or whole programs.
    Execute,
}

/// The words of a name in lower case: split at every character that is no
/// letter or digit, between letters and digits, and at case changes
/// (`HTTPDelete` is `http`, `delete`).
pub fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let (mut found, mut word) = (Vec::new(), String::new());
    for (at, &char) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        if !char.is_alphanumeric() || before.is_some_and(|b| is_border(b, char, chars.get(at + 1)))
        {
            push(&mut found, &mut word);
        }
        if char.is_alphanumeric() {
            word.extend(char.to_lowercase());
        }
    }
    push(&mut found, &mut word);
    found
}

/// The kind of the first word, when that is a known verb in any form
/// (`get`, `gets`, `getting`).
pub fn leading_verb(name: &str) -> Option<VerbKind> {
    let first = words(name).into_iter().next()?;
    kind_of(&first, Forms::All)
}

/// Every word that is a verb, in the order of the name.
///
/// After the first word English is ambiguous: `list_runs` runs nothing,
/// `get_deleted_items` deletes nothing, and `get_post` posts nothing. So a later
/// word counts only in its base form, and one that is as often a noun or an
/// adjective (`post`, `open`) only when no verb stands before it, or one of
/// `and`, `or`, `then`, `to` does.
pub fn verbs_in(name: &str) -> Vec<(String, VerbKind)> {
    let words = words(name);
    let mut found: Vec<(String, VerbKind)> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let joined = at > 0 && JOINERS.contains(&words[at - 1].as_str());
        let leads = at == 0 || joined;
        let forms = if leads { Forms::All } else { Forms::Base };
        let Some(kind) = kind_of(word, forms) else {
            continue;
        };
        if !leads && !found.is_empty() && has(NOUNS_TOO, word) {
            continue;
        }
        found.push((word.clone(), kind));
    }
    found
}

fn push(found: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        found.push(std::mem::take(word));
    }
}

/// Whether a word ends between `before` and `here`.
fn is_border(before: char, here: char, next: Option<&char>) -> bool {
    let humped = before.is_lowercase() && here.is_uppercase();
    let acronym_ends = before.is_uppercase()
        && here.is_uppercase()
        && next.is_some_and(|next| next.is_lowercase());
    humped || acronym_ends || before.is_numeric() != here.is_numeric()
}

/// Which inflections count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forms {
    /// All of them.
    All,
    /// Only the base form: the others are nouns and adjectives as a rule.
    Base,
}

fn kind_of(word: &str, forms: Forms) -> Option<VerbKind> {
    if let Some(kind) = lookup(word) {
        return Some(kind);
    }
    if forms == Forms::Base || has(NOT_VERBS, word) {
        return None;
    }
    let mut stems: Vec<String> = Vec::new();
    for ending in ["ed", "ing"] {
        if let Some(stem) = word.strip_suffix(ending) {
            stems.extend([format!("{stem}e"), stem.to_owned(), undoubled(stem)]);
        }
    }
    for ending in ["ied", "ies"] {
        if let Some(stem) = word.strip_suffix(ending) {
            stems.push(format!("{stem}y"));
        }
    }
    for ending in ["es", "s"] {
        stems.extend(word.strip_suffix(ending).map(str::to_owned));
    }
    stems.iter().find_map(|stem| lookup(stem))
}

/// `stopp` to `stop`.
fn undoubled(stem: &str) -> String {
    let mut chars: Vec<char> = stem.chars().collect();
    if let [.., a, b] = chars.as_slice()
        && a == b
    {
        chars.pop();
    }
    chars.into_iter().collect()
}

fn lookup(word: &str) -> Option<VerbKind> {
    TABLE
        .iter()
        .find(|(_, verbs)| has(verbs, word))
        .map(|(kind, _)| *kind)
}

/// Whether a list of words has this one.
fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Between two verbs of one name.
const JOINERS: [&str; 4] = ["and", "or", "then", "to"];

/// Verbs that are as often nouns or adjectives in tool names.
const NOUNS_TOO: &str = "\
    alert archive backup ban block book broadcast build call change check comment commit \
    complete copy count cut deploy diff dispatch display download draft drop edit email \
    empty exploit export fax fill find fork forward head import increment install invite \
    join label launch link list lock log look mail mark merge message move notify open order \
    patch pin post preview publish purchase push put query read record refund register \
    release reply request reset restore resume run schedule search set share stage star \
    start stash store sync tag tail text touch transfer transform trash trigger tweet update \
    upgrade upload view visit";

/// Words that look like an inflected verb and are none in tool names.
const NOT_VERBS: &str = "\
    billing building embed feed listing meeting need posting red setting settings string";

/// Each kind's verbs, sorted, a space between them.
const TABLE: [(VerbKind, &str); 5] = [
    (VerbKind::Read, READ),
    (VerbKind::Write, WRITE),
    (VerbKind::Destroy, DESTROY),
    (VerbKind::Outbound, OUTBOUND),
    (VerbKind::Execute, EXECUTE),
];

/// An allow-list: what is called without being asked for leads with one of these.
/// Words that write in some servers (`extract`, `format`, `resolve`) are left out.
const READ: &str = "\
    analyse analyze browse calculate check compare compute count describe detect diff \
    discover display echo enumerate estimate examine explain explore fetch find get \
    grep head inspect introspect is list locate look lookup measure outline parse peek ping \
    preview query read recall retrieve search select show summarise summarize tail translate \
    validate verify view";

const WRITE: &str = "\
    accept activate add adjust allocate amend append apply approve archive assign attach \
    backup ban block book build change checkout clone close comment commit complete \
    configure connect copy create deactivate decrement define deploy disable disconnect \
    download draft duplicate edit enable encrypt enqueue export fill fork generate grant \
    import increment ingest init initialise initialize insert install join label link lock \
    log login logout make mark merge migrate modify move open order patch pause pay persist \
    pin prepend promote provision put rebase record refresh refund register release remember \
    rename reorder replace reschedule resize restore resume rewrite rotate save schedule set \
    stage star stash store sync tag toggle touch transfer transform unlock update upgrade \
    upsert write";

const DESTROY: &str = "\
    cancel clear cut deallocate decommission delete demolish destroy detach discard drop \
    empty erase expire flush forget halt kill nuke overwrite prune purge reboot reject \
    remove reset restart revert revoke rm rollback shred shutdown stop terminate trash \
    truncate unassign uninstall unlink unregister unset wipe";

const OUTBOUND: &str = "\
    alert announce broadcast crawl dial dispatch email fax forward invite mail message \
    navigate notify post publish purchase push reply request respond scrape send share \
    submit text transmit tweet upload visit";

const EXECUTE: &str = "\
    call compile eval evaluate exec execute exploit interpret invoke launch run spawn start \
    trigger";

#[cfg(test)]
mod tests {
    use super::*;

    fn split(name: &str) -> String {
        words(name).join(" ")
    }

    fn kinds(name: &str) -> Vec<VerbKind> {
        verbs_in(name).into_iter().map(|(_, kind)| kind).collect()
    }

    #[test]
    fn splits_every_way_of_writing_names() {
        for (name, expected) in [
            ("read_file", "read file"),
            ("read-file", "read file"),
            ("readFile", "read file"),
            ("ReadFile", "read file"),
            ("HTTPDelete", "http delete"),
            ("getHTTPResponse", "get http response"),
            ("files.read/all", "files read all"),
            ("get2Files", "get 2 files"),
            ("__x--y", "x y"),
            ("ÄndereÜber", "ändere über"),
            ("", ""),
            ("—", ""),
        ] {
            assert_eq!(split(name), expected, "{name}");
        }
    }

    #[test]
    fn the_first_word_decides_in_any_form() {
        for (name, expected) in [
            ("get_user", Some(VerbKind::Read)),
            ("lists_users", Some(VerbKind::Read)),
            ("fetchingPages", Some(VerbKind::Read)),
            ("search", Some(VerbKind::Read)),
            ("queries", Some(VerbKind::Read)),
            ("WriteFile", Some(VerbKind::Write)),
            ("stopping", Some(VerbKind::Destroy)),
            ("deletedItems", Some(VerbKind::Destroy)),
            ("send-mail", Some(VerbKind::Outbound)),
            ("run", Some(VerbKind::Execute)),
            ("settings_get", None),
            ("string_length", None),
            ("listener", None),
            ("getaway", None),
            ("", None),
        ] {
            assert_eq!(leading_verb(name), expected, "{name}");
        }
    }

    #[test]
    fn later_words_count_when_they_are_hardly_nouns() {
        assert_eq!(kinds("get_and_delete"), [VerbKind::Read, VerbKind::Destroy]);
        assert_eq!(kinds("user_delete"), [VerbKind::Destroy]);
        assert_eq!(
            kinds("search_and_update"),
            [VerbKind::Read, VerbKind::Write]
        );
        assert_eq!(kinds("list_runs"), [VerbKind::Read]);
        assert_eq!(kinds("get_post"), [VerbKind::Read]);
        assert_eq!(kinds("github_post_comment"), [VerbKind::Outbound]);
        assert_eq!(kinds("get_settings"), [VerbKind::Read]);
        assert_eq!(kinds("weather"), []);
        for name in [
            "get_text",
            "list_open_issues",
            "list_deleted_items",
            "read_log",
        ] {
            assert_eq!(kinds(name), [VerbKind::Read], "{name}");
        }
        assert_eq!(kinds("get_or_create"), [VerbKind::Read, VerbKind::Write]);
        assert_eq!(
            kinds("issues_close_and_open"),
            [VerbKind::Write, VerbKind::Write]
        );
    }

    #[test]
    fn tables_are_sorted_and_share_no_word() {
        let mut all = Vec::new();
        for (_, verbs) in TABLE {
            assert!(verbs.split(' ').is_sorted());
            all.extend(verbs.split(' '));
        }
        assert!(NOT_VERBS.split(' ').is_sorted());
        assert!(NOUNS_TOO.split(' ').is_sorted());
        for noun in NOUNS_TOO.split(' ') {
            assert!(all.contains(&noun), "{noun} is no verb");
        }
        let known = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), known);
    }
}
