//! A day as contracts write it.

use std::fmt;

use jiff::civil::Date;

/// A day of the calendar, without a time and without a zone. Days are compared as days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

impl Day {
    /// The day that `text` names, as `2026-11-30` and in no other form; `None` where the calendar has none.
    pub fn read(text: &str) -> Option<Day> {
        let is_form = text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        let number = |from: usize, to: usize| text.get(from..to)?.parse::<i16>().ok();
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let date = Date::new(year, month.try_into().ok()?, day.try_into().ok()?);
        date.ok().filter(|_| is_form && year > 0).map(Day)
    }

    /// How many days it is to `other`; fewer than none where that is earlier.
    pub fn days_until(self, other: Day) -> i64 {
        let between = other.0.duration_since(self.0);
        between.as_hours() / 24
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0.year(), self.0.month(), self.0.day())
    }
}

#[cfg(test)]
mod tests {
    use super::Day;

    #[test]
    fn a_day_has_one_form() {
        for text in ["2026-11-30", "2024-02-29", "0001-01-01", "9999-12-31"] {
            assert_eq!(Day::read(text).map(|day| day.to_string()).as_deref(), Some(text));
        }
        for text in [
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-11-31",
            "26-11-30",
            "2026-1-30",
            "2026-11-30 ",
            "20261130",
            "2026/11/30",
            "+026-11-30",
            "2026-11-3a",
            "",
            "0000-01-01",
            "２026-11-30",
            "2026-11-30T00:00",
        ] {
            assert_eq!(Day::read(text), None, "{text:?}");
        }
    }

    #[test]
    fn days_are_counted_over_months_and_years() {
        let days = |from: &str, to: &str| Day::read(from).unwrap().days_until(Day::read(to).unwrap());
        assert_eq!(days("2026-11-30", "2026-12-01"), 1);
        assert_eq!(days("2027-03-01", "2026-12-01"), -90);
        assert_eq!(days("2024-02-28", "2025-02-28"), 366);
        assert_eq!(days("2024-02-28", "2024-02-28"), 0);
    }
}
