/** A spreadsheet would take what begins like this for a formula, and run it. */
const isFormula = /^[=+\-@\t\r]/;

function field(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = isFormula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** As RFC 4180 has it, with a line of names first. */
export const toCsv = (rows: (string | number | undefined)[][]): string =>
  rows.map((row) => `${row.map(field).join()}\r\n`).join('');
