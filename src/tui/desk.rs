//! Where requests wait for their worker: orders in a row, none ever dropped; of looks only the latest, so that a cursor
//! that runs through the inbox costs nothing.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What a worker is asked for: orders, and looks of a few kinds.
#[derive(Debug)]
pub(super) struct Desk<Order, Look> {
    waiting: Mutex<Waiting<Order, Look>>,
    bell: Condvar,
}

#[derive(Debug)]
struct Waiting<Order, Look> {
    orders: VecDeque<Order>,
    /// At most one of each kind, the oldest first.
    looks: Vec<Look>,
    closed: bool,
}

/// What is next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<Order, Look> {
    /// Carry this out.
    Order(Order),
    /// Look into this.
    Look(Look),
}

impl<Order, Look> Default for Desk<Order, Look> {
    fn default() -> Self {
        let waiting = Waiting { orders: VecDeque::new(), looks: Vec::new(), closed: false };
        Desk { waiting: Mutex::new(waiting), bell: Condvar::new() }
    }
}

impl<Order, Look> Desk<Order, Look> {
    /// Puts an order behind the others.
    pub(super) fn order(&self, order: Order) {
        self.lock().orders.push_back(order);
        self.bell.notify_one();
    }

    /// Asks for a look; one of the same kind that still waits is forgotten.
    pub(super) fn look(&self, look: Look) {
        let kind = std::mem::discriminant(&look);
        let mut waiting = self.lock();
        waiting.looks.retain(|other| std::mem::discriminant(other) != kind);
        waiting.looks.push(look);
        self.bell.notify_one();
    }

    /// Waits for what is next: orders before looks. `None` once the desk is closed.
    pub(super) fn next(&self) -> Option<Next<Order, Look>> {
        let mut waiting = self.lock();
        loop {
            if let Some(order) = waiting.orders.pop_front() {
                return Some(Next::Order(order));
            }
            if waiting.closed {
                return None;
            }
            if !waiting.looks.is_empty() {
                return Some(Next::Look(waiting.looks.remove(0)));
            }
            waiting = self.bell.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes no more: the worker ends after the orders that wait.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.bell.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting<Order, Look>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Desk, Next};

    #[derive(Debug, PartialEq, Eq)]
    enum Look {
        Detail(u8),
        Preview(u8),
    }

    #[test]
    fn orders_go_first_and_of_looks_only_the_latest_of_each_kind_stays() {
        let desk = Desk::default();
        desk.look(Look::Detail(1));
        desk.look(Look::Preview(1));
        desk.look(Look::Detail(2));
        desk.order("stage");
        desk.order("undo");
        assert_eq!(desk.next(), Some(Next::Order("stage")));
        assert_eq!(desk.next(), Some(Next::Order("undo")));
        assert_eq!(desk.next(), Some(Next::Look(Look::Preview(1))));
        assert_eq!(desk.next(), Some(Next::Look(Look::Detail(2))));
        desk.look(Look::Detail(3));
        desk.order("redo");
        desk.close();
        assert_eq!(desk.next(), Some(Next::Order("redo")));
        assert_eq!(desk.next(), None);
    }
}
