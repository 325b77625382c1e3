import { create } from 'qrcode';
import { useMemo } from 'react';
import styles from './qr-code.module.css';

const SIDE_PX = 384;

/** A QR code of `text`; `name` describes it to screen readers. */
export function QrCode({ text, name }: { text: string; name: string }) {
  const { path, side } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'M' });
    const get = (row: number, column: number) => modules.get(row, column);
    return { path: qrPath({ size: modules.size, get }), side: modules.size + 2 * QUIET_ZONE };
  }, [text]);
  return (
    <svg
      className={styles.qr}
      width={SIDE_PX}
      height={SIDE_PX}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={name}
    >
      <path d={path} />
    </svg>
  );
}

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
