//! A value that may stay where it is kept until somebody looks at it, so that an inbox opens without reading what nobody
//! asks for.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Where texts are kept.
pub trait Shelf: fmt::Debug + Send + Sync {
    /// The text at a place.
    ///
    /// # Errors
    /// Why it cannot be read any more.
    fn read(&self, place: Place) -> Result<String, String>;
}

/// A place on a shelf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first byte.
    pub start: u64,
    /// How many bytes.
    pub length: usize,
}

/// What may stay on a shelf.
pub trait Shelved: Sized {
    /// The value that a text on the shelf holds.
    ///
    /// # Errors
    /// What was not understood.
    fn from_text(text: &str) -> Result<Self, String>;

    /// What is shown in the place of a value that cannot be read.
    fn unreadable(why: &str) -> Self;

    /// What must be known of it before it is read: a size or a count.
    fn weight(&self) -> usize;
}

/// The value, or where it is kept.
#[derive(Clone)]
pub struct Later<T> {
    seen: OnceLock<Arc<Seen<T>>>,
    kept: Option<Kept>,
}

/// A value that was looked at.
#[derive(Clone)]
struct Seen<T> {
    value: T,
    /// Why it could not be read, where it is only a stand-in.
    fault: Option<String>,
}

#[derive(Clone)]
struct Kept {
    shelf: Arc<dyn Shelf>,
    place: Place,
    weight: usize,
}

impl<T> From<T> for Later<T> {
    fn from(value: T) -> Self {
        Later { seen: OnceLock::from(Arc::new(Seen { value, fault: None })), kept: None }
    }
}

impl<T: Shelved> Later<T> {
    /// A value that stays where it is until it is looked at.
    pub fn kept(shelf: Arc<dyn Shelf>, place: Place, weight: usize) -> Self {
        Later { seen: OnceLock::new(), kept: Some(Kept { shelf, place, weight }) }
    }

    /// The value's weight, for which it need not be read.
    pub fn weight(&self) -> usize {
        self.kept.as_ref().map_or_else(|| self.look().value.weight(), |kept| kept.weight)
    }

    /// Why the value cannot be read, where that is so: what is seen is a stand-in then, and must be written nowhere.
    pub fn fault(&self) -> Option<&str> {
        self.look().fault.as_deref()
    }

    /// The value itself.
    pub fn into_value(self) -> T
    where
        T: Clone,
    {
        self.look();
        let seen = self.seen.into_inner().map(Arc::unwrap_or_clone);
        seen.map_or_else(|| T::unreadable(""), |seen| seen.value)
    }

    fn look(&self) -> &Arc<Seen<T>> {
        self.seen.get_or_init(|| Arc::new(read(self.kept.as_ref())))
    }
}

fn read<T: Shelved>(kept: Option<&Kept>) -> Seen<T> {
    let text = kept.ok_or_else(String::new).and_then(|kept| kept.shelf.read(kept.place));
    match text.and_then(|text| T::from_text(&text)) {
        Ok(value) => Seen { value, fault: None },
        Err(why) => Seen { value: T::unreadable(&why), fault: Some(why) },
    }
}

impl<T: Shelved> Deref for Later<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.look().value
    }
}

impl<T: Shelved + Clone> DerefMut for Later<T> {
    /// What is changed is no longer what is kept.
    fn deref_mut(&mut self) -> &mut T {
        self.look();
        self.kept = None;
        let seen = self.seen.get_mut().unwrap_or_else(|| unreachable!("it was looked at"));
        &mut Arc::make_mut(seen).value
    }
}

impl<T: Shelved + PartialEq> PartialEq for Later<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Shelved + Eq> Eq for Later<T> {}

impl<T: Shelved + fmt::Debug> fmt::Debug for Later<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Shelved + Serialize> Serialize for Later<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.fault() {
            Some(why) => Err(serde::ser::Error::custom(why)),
            None => (**self).serialize(serializer),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Later<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Later::from)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Later, Place, Shelf, Shelved};

    #[derive(Debug)]
    struct Text(&'static str);

    impl Shelf for Text {
        fn read(&self, place: Place) -> Result<String, String> {
            let start = usize::try_from(place.start).unwrap();
            self.0.get(start..start + place.length).map(str::to_owned).ok_or_else(|| "it is gone".to_owned())
        }
    }

    impl Shelved for String {
        fn from_text(text: &str) -> Result<Self, String> {
            Ok(text.to_owned())
        }

        fn unreadable(why: &str) -> Self {
            format!("unreadable: {why}")
        }

        fn weight(&self) -> usize {
            self.len()
        }
    }

    fn kept(start: u64) -> Later<String> {
        Later::kept(Arc::new(Text("one two")), Place { start, length: 3 }, 3)
    }

    #[test]
    fn a_value_is_read_when_it_is_looked_at() {
        let later = kept(4);
        assert_eq!((later.weight(), later.as_str(), later.fault()), (3, "two", None));
        assert_eq!(later, Later::from("two".to_owned()));
    }

    #[test]
    fn a_changed_value_weighs_what_it_is_and_leaves_its_clone_alone() {
        let later = kept(0);
        let mut changed = later.clone();
        changed.push_str(" more");
        assert_eq!((later.as_str(), changed.as_str(), changed.weight()), ("one", "one more", 8));
    }

    #[test]
    fn what_cannot_be_read_is_shown_and_never_written() {
        let later = kept(5);
        assert_eq!((later.as_str(), later.fault()), ("unreadable: it is gone", Some("it is gone")));
        assert!(serde_json::to_string(&later).is_err());
        assert_eq!(serde_json::to_string(&kept(4)).unwrap(), "\"two\"");
    }
}
