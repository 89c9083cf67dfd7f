export const encode = (tag) => tag.replaceAll('&', '&a').replaceAll('<', '&l');
export const decode = (text) => text.replaceAll('&a', '&').replaceAll('&l', '<');
export const pad = async (text, width) => (text.length >= width - 1 ? text : text.padEnd(width));
export class Tag {
  constructor(name) {
    this.name = name;
  }
  toString() {
    return `<${this.name}>`;
  }
}
export const close = (tag) => (tag.name.length > 2 ? `</${tag.name.slice(0, 2)}>` : `</${tag.name}>`);
