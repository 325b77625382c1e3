import { expect, test } from '@jest/globals';
import { create } from 'qrcode';
import { QUIET_ZONE, qrPath } from '../../../web/src/components/qr-code.tsx';

test('draws each run of dark modules as one rectangle, inside the quiet zone', () => {
  const rows = ['110', '000', '011'];
  const get = (row: number, column: number) => rows[row]?.[column] === '1';
  expect(qrPath({ size: 3, get })).toBe('M4 4h2v1h-2zM5 6h2v1h-2z');
});

test('draws exactly the dark modules of a real code', () => {
  const { modules } = create('otpauth://totp/OTP%20Guard:mona', { errorCorrectionLevel: 'M' });
  const get = (row: number, column: number) => modules.get(row, column);
  const drawn = new Set<string>();
  for (const [, column, row, run] of qrPath({ size: modules.size, get }).matchAll(/M(\d+) (\d+)h(\d+)v1/g))
    for (let offset = 0; offset < Number(run); offset += 1)
      drawn.add(`${Number(row) - QUIET_ZONE} ${Number(column) - QUIET_ZONE + offset}`);
  for (let row = 0; row < modules.size; row += 1)
    for (let column = 0; column < modules.size; column += 1)
      expect(drawn.has(`${row} ${column}`)).toBe(Boolean(get(row, column)));
});
