class Shelf {
  constructor(books) {
    this.books = books;
  }
  with(book) {
    return new Shelf(this.books.includes(book) ? this.books : [book, ...this.books].slice(0, 3));
  }
}
exports.Shelf = Shelf;
exports.turned = (books) => books.slice(-4).reverse();
exports.sorted = (books) => [...books].sort();
