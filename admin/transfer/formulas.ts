/**
 * Spreadsheets run a cell as a formula if it starts with one of these characters. An apostrophe before it makes the cell text.
 * A text that already has apostrophes before such a character gets one more, so removing one always restores the text.
 * Other apostrophes, as in 's-Gravenhage, stay. escape_formulas of csv-stringify writes =1 and '=1 as the same cell.
 */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

export function escapeFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
