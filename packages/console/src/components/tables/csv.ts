/** Spreadsheets run cells that start with these characters as formulas. */
const isFormula = /^[=+\-@\t\r]/;

function field(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = isFormula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180, with a header line. */
export const toCsv = (rows: (string | number | undefined)[][]): string =>
  rows.map((row) => `${row.map(field).join()}\r\n`).join('');
