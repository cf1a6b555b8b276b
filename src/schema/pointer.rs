//! JSON pointers (RFC 6901) as text.

/// Appends one token to a pointer.
pub fn push(pointer: &mut String, token: &str) {
    pointer.push('/');
    for char in token.chars() {
        match char {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            char => pointer.push(char),
        }
    }
}

/// Appends an array index to a pointer.
pub fn push_index(pointer: &mut String, index: usize) {
    use std::fmt::Write;
    let _ = write!(pointer, "/{index}");
}

/// The tokens of a pointer, unescaped.
pub fn tokens(pointer: &str) -> Vec<String> {
    let unescape = |token: &str| token.replace("~1", "/").replace("~0", "~");
    pointer.split('/').skip(1).map(unescape).collect()
}

/// A pointer as the fragment of a URI, percent-encoded where it must be.
pub fn to_fragment(pointer: &str) -> String {
    use std::fmt::Write;
    let mut fragment = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/~-._$".contains(&byte) {
            fragment.push(char::from(byte));
        } else {
            let _ = write!(fragment, "%{byte:02X}");
        }
    }
    fragment
}

/// A fragment without its percent-encoding; what is no encoding stays.
pub fn from_fragment(fragment: &str) -> String {
    let bytes = fragment.as_bytes();
    let (mut plain, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let encoded = (bytes[at] == b'%')
            .then(|| fragment.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        plain.push(encoded.unwrap_or(bytes[at]));
        at += if encoded.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_survive_the_way_there_and_back() {
        let mut pointer = String::new();
        for token in ["a/b", "~1", "", "plain"] {
            push(&mut pointer, token);
        }
        push_index(&mut pointer, 3);
        assert_eq!(pointer, "/a~1b/~01//plain/3");
        assert_eq!(tokens(&pointer), ["a/b", "~1", "", "plain", "3"]);
        assert!(tokens("").is_empty());
    }

    #[test]
    fn fragments_survive_the_way_there_and_back() {
        let pointer = "/$defs/a b%/ü";
        let fragment = to_fragment(pointer);
        assert_eq!(fragment, "/$defs/a%20b%25/%C3%BC");
        assert_eq!(from_fragment(&fragment), pointer);
        assert_eq!(from_fragment("%zz%4"), "%zz%4");
    }
}
