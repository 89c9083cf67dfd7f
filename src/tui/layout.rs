//! Where the panes stand for a size of the screen. Wide screens show both panes with a rule between them, narrow ones the
//! pane in use.

use ratatui::layout::Rect;

use super::keys::Place;

/// Below this many columns one pane has the screen.
const FOLDS_BELOW: u16 = 90;
/// A screen smaller than this shows a notice only.
const LEAST: (u16, u16) = (16, 4);
/// From this many rows on there is one for the tabs below the header.
const AIRY: u16 = 16;
/// The message takes at most this many rows.
const MESSAGE_ROWS: u16 = 3;

/// Where the parts of the screen stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) header: Rect,
    /// The row of tabs; on low screens the header tells which one is shown.
    pub(crate) tabs: Option<Rect>,
    pub(crate) inbox: Option<Rect>,
    /// The column of the rule between the panes.
    pub(crate) rule: Option<u16>,
    pub(crate) failure: Option<Rect>,
    pub(crate) message: Rect,
    pub(crate) footer: Rect,
}

/// The parts of a screen of `size` with the pane `place` in use and a message of so many rows; `None` where the screen is
/// too small.
pub(crate) fn layout(size: (u16, u16), place: Place, zoomed: bool, message_rows: usize) -> Option<Layout> {
    let (width, height) = size;
    if width < LEAST.0 || height < LEAST.1 {
        return None;
    }
    let rows = u16::try_from(message_rows).unwrap_or(u16::MAX).min(MESSAGE_ROWS).min(height - 3);
    let top = if height < AIRY { 1 } else { 2 };
    let panes = Rect::new(0, top, width, height - top - 1 - rows);
    let message = Rect::new(0, panes.bottom(), width, rows);
    let whole = Layout {
        header: Rect::new(0, 0, width, 1),
        tabs: (top == 2).then(|| Rect::new(0, 1, width, 1)),
        inbox: None,
        rule: None,
        failure: None,
        message,
        footer: Rect::new(0, height - 1, width, 1),
    };
    let padded = Rect { x: 1, width: width.saturating_sub(2), ..panes };
    Some(match place {
        Place::Inbox if zoomed || width < FOLDS_BELOW => Layout { inbox: Some(panes), ..whole },
        Place::Failure if zoomed || width < FOLDS_BELOW => Layout { failure: Some(padded), ..whole },
        _ => {
            let left = (width * 2 / 5).clamp(36, 80);
            let right = Rect { x: left + 2, width: width - left - 3, ..panes };
            Layout { inbox: Some(Rect { width: left - 1, ..panes }), rule: Some(left), failure: Some(right), ..whole }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::layout;
    use crate::tui::keys::Place;

    #[test]
    fn both_panes_show_from_90_columns_on_unless_one_is_enlarged() {
        let shown = |width, zoomed| {
            let layout = layout((width, 24), Place::Failure, zoomed, 0).unwrap();
            (layout.inbox.map(|rect| rect.width), layout.failure.map(|rect| rect.width))
        };
        assert_eq!(shown(89, false), (None, Some(87)));
        assert_eq!(shown(90, false), (Some(35), Some(51)));
        assert_eq!(shown(120, false), (Some(47), Some(69)));
        assert_eq!(shown(200, false), (Some(79), Some(117)));
        assert_eq!(shown(200, true), (None, Some(198)));
    }

    #[test]
    fn parts_never_leave_the_screen() {
        for width in 1..130 {
            for height in 1..30 {
                for place in [Place::Inbox, Place::Failure] {
                    let Some(layout) = layout((width, height), place, false, 9) else { continue };
                    let parts =
                        [Some(layout.header), layout.inbox, layout.failure, Some(layout.message), Some(layout.footer)];
                    for part in parts.into_iter().flatten() {
                        assert!(part.right() <= width && part.bottom() <= height, "{width}x{height}: {part:?}");
                    }
                }
            }
        }
    }
}
