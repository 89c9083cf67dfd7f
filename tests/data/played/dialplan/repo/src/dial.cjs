exports.digits = (text) => text.replace(/[^0-9]/, '');
exports.area = (number) => number.slice(0, 3);
exports.known = async (book, name) => name in book;
