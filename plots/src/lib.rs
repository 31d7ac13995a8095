//! Plain numbers in, pictures out.
