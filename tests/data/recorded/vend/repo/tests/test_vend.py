from hypothesis import note, strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule
from hypothesis.stateful import run_state_machine_as_test

import vend


class Till(RuleBasedStateMachine):
    slots = Bundle("slots")

    def __init__(self):
        super().__init__()
        self.machine = vend.Machine()
        self.paid = 0

    @initialize(target=slots, price=st.integers(10, 30))
    def fill_two(self, price):
        return multiple(self.machine.fill("a", price), self.machine.fill("b", price + 5))

    @rule(data=st.data())
    def pay(self, data):
        coin = data.draw(st.sampled_from([10, 20, 50]), label="coin")
        note(f"state.pays({coin})")
        self.machine.pay(coin)
        self.paid += coin

    @rule(slot=consumes(slots))
    def buy(self, slot):
        price, held = self.machine.slots[slot], self.machine.held
        back = self.machine.buy(slot)
        if held >= price:
            assert back == held - price, f"{back} back of {held} for {price}"

    @invariant()
    def holds_no_debt(self):
        assert self.machine.held >= 0


class Plain(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.machine = vend.Machine()
        self.machine.fill("a", 5)

    @rule(coin=st.integers(1, 90))
    def pay(self, coin):
        self.machine.pay(coin)

    @rule()
    def change(self):
        held = self.machine.held
        self.machine.fill("a", 5)
        back = self.machine.buy("a")
        assert back == max(held - 5, 0) or held < 5


TestTill = Till.TestCase


def test_plain_till():
    run_state_machine_as_test(Plain)
