//! What clients in wide use warn of or refuse, each by name and with its source.

pub(super) mod large_list;
