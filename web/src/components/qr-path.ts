/** Width of the empty border around the code, in modules: ISO/IEC 18004 requires four. */
export const QUIET_ZONE = 4;

type Modules = { size: number; get: (row: number, column: number) => number | boolean };

/** Draws the dark modules as one SVG path, one unit per module and one rectangle per run in a row. */
export function qrPath({ size, get }: Modules): string {
  let path = '';
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const start = column;
      while (column < size && get(row, column)) column += 1;
      const run = column - start;
      if (run > 0) path += `M${start + QUIET_ZONE} ${row + QUIET_ZONE}h${run}v1h-${run}z`;
    }
  }
  return path;
}
