//! The `redpin` program: arguments to face to exit code, nothing else.

fn main() {}
