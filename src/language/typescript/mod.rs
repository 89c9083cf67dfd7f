//! TypeScript and JavaScript source, modules and CommonJS, JSX in it: where calls, functions and literals stand, what a file
//! imports, and values as expressions.

pub mod code;
pub mod import;
pub mod layout;
pub mod printed;
pub mod text;
