class Machine:
    """VEND-1: money that is put in is either held or given back."""

    def __init__(self):
        self.held = 0
        self.slots = {}

    def fill(self, slot, price):
        self.slots[slot] = price
        return slot

    def pay(self, coin):
        self.held += coin

    def buy(self, slot):
        price = self.slots.pop(slot, None)
        if price is None or price > self.held:
            return 0
        change = self.held - price
        self.held = 0
        return change if change < 50 else change - 50
