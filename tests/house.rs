//! The rules of the house as tests: who may import whom, where the world may be touched, which words stand where, and
//! what every tracked file must keep. Each rule is a function from sources to faults, and each has a test that plants a
//! fault and sees it found.

mod directions;
mod layout;
mod licences;
mod live;
mod map;
mod mentions;
mod readme;
mod sources;
mod tracked;
mod words;
mod world;
