//! The kept inputs of the fuzz targets, replayed on a stable toolchain.

use std::fs;
use std::path::Path;

#[path = "../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "the file is the root of a crate as well")]
mod targets;

type Target = (&'static str, fn(&[u8]));

/// Each target, by the name of its folder in `fuzz/corpus`.
const TARGETS: [Target; 4] = [
    ("line_reader", targets::line_reader),
    ("event_stream", targets::event_stream),
    ("message", targets::message),
    ("schema_walk", targets::schema_walk),
];

#[test]
fn nothing_that_was_once_found_comes_back() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, target) in TARGETS {
        let folder = corpus.join(name);
        let inputs: Vec<_> = fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.expect("the folder can be read").path())
            .collect();
        assert!(inputs.len() >= 5, "{name} keeps {} inputs", inputs.len());
        for input in inputs {
            let bytes = fs::read(&input).expect("an input can be read");
            let outcome = std::panic::catch_unwind(|| target(&bytes));
            assert!(outcome.is_ok(), "{} fails", input.display());
        }
    }
}

#[test]
fn every_target_has_a_folder_and_a_binary() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let mut folders: Vec<_> = fs::read_dir(root.join("corpus"))
        .expect("there is a corpus")
        .map(|entry| entry.expect("the folder can be read").file_name())
        .collect();
    folders.sort();
    let mut names: Vec<std::ffi::OsString> =
        TARGETS.iter().map(|(name, _)| (*name).into()).collect();
    names.sort();
    assert_eq!(folders, names);
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("there is a manifest");
    for (name, _) in TARGETS {
        assert!(root.join("targets").join(format!("{name}.rs")).is_file());
        assert!(manifest.contains(&format!("name = \"{name}\"")));
    }
}
