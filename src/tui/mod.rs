//! The workstation: the inbox at the left, the failure at the right, a key for each verdict.
//!
//! An event becomes an update ([`Model::handle`]), the update changes the model and names effects ([`Model::apply`]),
//! workers carry the effects out and their results come back as events. The view is a function of the model. Nothing
//! here does per key what grows with the inbox, and nothing happens at all while nobody presses a key.

mod apply;
mod arrive;
mod clerk;
mod clipboard;
mod decode;
mod desk;
mod effect;
mod event;
mod feed;
mod highlight;
mod input;
mod keyboard;
mod keys;
mod layout;
mod lent;
mod line_edit;
mod list;
mod model;
mod output;
mod over;
mod overlay;
mod page;
mod panics;
mod post;
mod programs;
mod prove;
mod reader;
mod recent;
#[cfg(test)]
mod sample;
mod search;
mod session;
mod settings;
mod sheet;
mod shelf;
mod signals;
mod sought;
mod surveyor;
mod tab;
mod tabs;
mod tail;
mod terminal;
mod tester;
mod text;
mod theme;
mod trial;
mod update;
mod view;
mod waiting;
mod words;

pub use effect::{Effect, Order, Staging};
pub use event::{Arrival, Ended, Event, Repeat, TrialNews};
pub use highlight::Coloured;
pub use keys::{Key, markdown};
pub use model::Model;
pub use programs::edit_alone;
pub use session::{Start, run};
pub use settings::Settings;
pub use sheet::{DaysLeft, Sheet, Survey};
pub use tab::Tab;
pub use update::Update;
pub use view::Cursor;
