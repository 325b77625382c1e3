import { create } from 'qrcode';
import { useMemo } from 'react';
import styles from './qr-code.module.css';
import { QUIET_ZONE, qrPath } from './qr-path.ts';

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
