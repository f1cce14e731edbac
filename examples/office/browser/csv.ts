/** Spreadsheets run a cell as a formula if it starts with one of these characters, also behind apostrophes that they hide. */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A cell of a CSV file. An apostrophe before a text that looks like a formula keeps it text. */
export function csvCell(value: string | number | null): string {
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value ?? '');
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
