def load(cars, room):
    """FERRY-1: nobody is left behind while there is room."""
    deck = []
    for length in cars:
        if sum(deck) + length < room:
            deck.append(length)
    return deck


def lane(length):
    """FERRY-2: long vehicles use lane 2."""
    return 2 if length > 6 else 1
