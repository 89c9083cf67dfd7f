from dataclasses import dataclass

from attrs import frozen
from pydantic import BaseModel


@frozen
class Shelf:
    row: int
    _side: str = "left"


class Reader(BaseModel):
    name: str
    fines: int = 0


@dataclass
class Loan:
    reader: Reader
    shelf: Shelf
    days: int


def overdue(days):
    return Loan(Reader(name="late"), Shelf(0), days)
