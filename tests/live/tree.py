"""A folder with all that is in it, to be held against a later look."""
import hashlib
import os
import stat

WORDS = {stat.S_IFDIR: "folder", stat.S_IFREG: "file", stat.S_IFLNK: "link", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket"}


def snapshot(folder):
    """The folder itself and everything below: type, mode, and content by its hash.

    A link is its target as written. Times are left out: reading changes some of them.
    """
    found = {".": entry(folder)}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(place, name)
            found[os.path.relpath(path, folder)] = entry(path)
    return found


def entry(path):
    facts = os.lstat(path)
    kind = stat.S_IFMT(facts.st_mode)
    content = ""
    if kind == stat.S_IFREG:
        with open(path, "rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
    elif kind == stat.S_IFLNK:
        content = os.readlink(path)
    return WORDS.get(kind, "other"), oct(stat.S_IMODE(facts.st_mode)), content


def differences(before, after):
    """What became of each name that is not as it was, a few words each."""
    told = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old is None:
            told.append(f"{name} is new")
        elif new is None:
            told.append(f"{name} is gone")
        elif old != new:
            parts = [what for what, one, other in zip(("type", "mode", "content"), old, new) if one != other]
            told.append(f"{name} has another {' and '.join(parts)}")
    return told
