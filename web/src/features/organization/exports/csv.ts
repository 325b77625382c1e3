/** Without it, Excel takes UTF-8 for another encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A row of RFC 4180. */
export const csvRow = (cells: readonly unknown[]) => `${cells.map(cell).join(',')}\r\n`;

/** Spreadsheets take a cell that begins like this for a formula, and people chose some of these texts. */
const FORMULA = /^[=+\-@\t\r\n]/;

function cell(value: unknown): string {
  const text = String(value ?? '');
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
