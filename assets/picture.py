#!/usr/bin/env python3
"""Draws a terminal's screen as SVG, for the README. By hand, after the look has changed:

    tmux new-session -d -s picture -x 120 -y 40 'target/release/redpin demo'
    tmux send-keys -t picture j j
    tmux capture-pane -t picture -e -p | assets/picture.py > assets/workstation.svg
"""

import html
import re
import sys
import unicodedata

CELL, LINE, PAD = 8.4, 17, 14
FOREGROUND, BACKGROUND = "#d0d4dc", "#16181d"
PALETTE = ["#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d0d4dc",
           "#5c6370", "#ff7b86", "#b5e890", "#ffd68a", "#8cc8ff", "#e29bf5", "#7fd6e0", "#ffffff"]
CUBE = [0, 95, 135, 175, 215, 255]


def indexed(number):
    """The colour of one of the 256."""
    if number < 16:
        return PALETTE[number]
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    number -= 16
    return "#" + "".join(f"{CUBE[part]:02x}" for part in (number // 36, number // 6 % 6, number % 6))


class Style:
    """How the next cells look."""

    def __init__(self):
        self.fore = self.back = None
        self.bold = self.dim = self.italic = self.under = self.reverse = self.struck = False

    def apply(self, codes):
        """Takes the numbers of one SGR sequence."""
        codes = [int(code or 0) for code in codes]
        while codes:
            code = codes.pop(0)
            if code in (38, 48):
                kind = codes.pop(0)
                colour = indexed(codes.pop(0)) if kind == 5 else "#" + "".join(f"{codes.pop(0):02x}" for _ in range(3))
                setattr(self, "fore" if code == 38 else "back", colour)
            else:
                self.switch(code)

    def switch(self, code):
        """Takes one number that stands alone."""
        on = {1: "bold", 2: "dim", 3: "italic", 4: "under", 7: "reverse", 9: "struck"}
        off = {22: ("bold", "dim"), 23: ("italic",), 24: ("under",), 27: ("reverse",), 29: ("struck",)}
        if code == 0:
            self.__init__()
        elif code in on:
            setattr(self, on[code], True)
        elif code in off:
            for name in off[code]:
                setattr(self, name, False)
        elif 30 <= code <= 37 or 90 <= code <= 97:
            self.fore = PALETTE[code - 30 if code < 90 else code - 82]
        elif 40 <= code <= 47 or 100 <= code <= 107:
            self.back = PALETTE[code - 40 if code < 100 else code - 92]
        elif code == 39:
            self.fore = None
        elif code == 49:
            self.back = None

    def colours(self):
        fore, back = self.fore or FOREGROUND, self.back
        return (back or BACKGROUND, fore) if self.reverse else (fore, back)


def width(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def draw(line, row, style):
    """One line's rectangles and texts."""
    column, top = 0, PAD + row * LINE
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b["):
            style.apply(part[2:-1].split(";"))
            continue
        cells = width(part)
        fore, back = style.colours()
        x = PAD + column * CELL
        if back and cells:
            yield f'<rect x="{x:.1f}" y="{top}" width="{cells * CELL:.1f}" height="{LINE}" fill="{back}"/>'
        if part.strip():
            look = f'fill="{fore}"'
            look += ' font-weight="bold"' if style.bold else ""
            look += ' font-style="italic"' if style.italic else ""
            look += ' opacity="0.6"' if style.dim else ""
            look += ' text-decoration="underline"' if style.under else ""
            look += ' text-decoration="line-through"' if style.struck else ""
            fit = f'textLength="{cells * CELL:.1f}" lengthAdjust="spacingAndGlyphs"'
            yield f'<text x="{x:.1f}" y="{top + 13}" {fit} {look}>{html.escape(part)}</text>'
        column += cells


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    style, shapes, columns = Style(), [], 0
    for row, line in enumerate(lines):
        shapes += draw(line, row, style)
        columns = max(columns, width(re.sub(r"\x1b\[[0-9;]*m", "", line)))
    wide, high = 2 * PAD + columns * CELL, 2 * PAD + len(lines) * LINE
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" width="{wide:.0f}">')
    print(f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>')
    print('<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" '
          'font-size="14" xml:space="preserve" style="white-space: pre">')
    print("\n".join(shapes))
    print("</g>\n</svg>")


if __name__ == "__main__":
    main()
