//! The least that a terminal program of three panes costs: draws one frame and waits for a key. `cargo bench` measures
//! redpin's start against it.

use std::io;

use ratatui::crossterm::event::{self, Event};
use ratatui::layout::{Constraint, Layout};
use ratatui::widgets::{Block, Paragraph};

fn main() -> io::Result<()> {
    ratatui::run(|terminal| {
        loop {
            terminal.draw(draw)?;
            if matches!(event::read()?, Event::Key(_)) {
                return Ok(());
            }
        }
    })
}

fn draw(frame: &mut ratatui::Frame<'_>) {
    let [left, right] = Layout::horizontal([Constraint::Percentage(40), Constraint::Fill(1)]).areas(frame.area());
    let [above, below] = Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(right);
    for (area, title) in [(left, "inbox"), (above, "failure"), (below, "patch")] {
        frame.render_widget(Paragraph::new("floor").block(Block::bordered().title(title)), area);
    }
}
