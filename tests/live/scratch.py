"""The folder that a server may see, and the words that point mcprobe at it."""
import os
import subprocess

OLD = 1_700_000_000  # a time long past, so that git's index never looks racy


def prepare(scratch):
    """Two small files, and a repository with one commit, all of a fixed date."""
    for name in ("files", "repository"):
        (scratch / name).mkdir(parents=True)
    (scratch / "files/notes.txt").write_text("First line.\nSecond line.\n")
    (scratch / "files/data.json").write_text('{"answer": 42}\n')
    readme = scratch / "repository/README.md"
    readme.write_text("# A repository\n")
    os.utime(readme, (OLD, OLD))
    when = f"{OLD} +0000"
    identity = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "GIT_CONFIG_GLOBAL": os.devnull,
                "GIT_CONFIG_SYSTEM": os.devnull}
    who = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com"]
    for words in (["init", "--quiet", "--initial-branch=main"], ["add", "."],
                  [*who, "commit", "--quiet", "--message", "First"], ["status"]):
        subprocess.run(["git", *words], cwd=scratch / "repository", check=True, env={**os.environ, **identity},
                       stdout=subprocess.DEVNULL)


def target_of(words, scratch, variables):
    """The words of a stdio target; the flags come before the command."""
    flags = ["--cwd", str(scratch)]
    for key, value in variables.items():
        flags += ["--env", f"{key}={value}"]
    return [*flags, "--", *words]


def evidence_place(folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve() / f"{name}.json"
