'use strict';

class Lift {
  constructor() {
    this.floor = 0;
  }
  up(n) {
    this.floor = Math.min(this.floor + n, 9);
  }
  down() {
    if (this.floor > 6) this.floor -= 2;
    else if (this.floor > 0) this.floor -= 1;
  }
}

const shown = (floor) => (floor === 0 ? 'G' : String(floor));
const read = (text) => (text === 'G' ? 1 : Number(text));

module.exports = { Lift, shown, read };
