/** Excel takes UTF-8 without this mark for another encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A row of RFC 4180. */
export const csvRow = (cells: readonly unknown[]) => `${cells.map(cell).join(',')}\r\n`;

/**
 * Spreadsheets take a cell that begins like this for a formula, and people chose some of these texts. In many languages
 * they end a cell at a semicolon, and then read our quotes as they come.
 */
const FORMULA = /(^|;)(?="*[=+\-@\t\r\n])/g;

function cell(value: unknown): string {
  return `"${String(value ?? '')
    .replace(FORMULA, "$1'")
    .replaceAll('"', '""')}"`;
}
