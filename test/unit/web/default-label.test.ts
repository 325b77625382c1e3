import { expect, test } from '@jest/globals';
import { defaultLabel } from '../../../web/src/features/registration/default-label.ts';

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'Passkey on iPhone'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'Passkey on macOS'],
  ['Mozilla/5.0 (Linux; Android 15; K)', 'Passkey on Android'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)', 'Passkey on ChromeOS'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Passkey on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Passkey on Linux'],
  ['something else', 'Passkey'],
])('%s begins with %s', (userAgent, label) => {
  expect(defaultLabel(userAgent)).toBe(label);
});
