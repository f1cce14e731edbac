/** In the order of their bytes, so texts of one length sort like the numbers. */
const digits = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** A number in a key, in as few characters as possible: keys are read by the thousand. */
export function sortableText(number: number, length: number): string {
  let text = '';
  for (let left = number; text.length < length; left = Math.floor(left / digits.length)) {
    text = `${digits[left % digits.length]}${text}`;
  }
  return text;
}

export function parseSortableText(text: string): number {
  return [...text].reduce((number, digit) => number * digits.length + digits.indexOf(digit), 0);
}

/** How many characters every id needs, and every second that is recorded. */
export const idLength = 9;
export const secondLength = 6;
