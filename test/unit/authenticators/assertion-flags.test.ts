import { expect, it } from '@jest/globals';
import { assertionFlags } from '../../../src/authenticators/step-up/verify-assertion.ts';

it.each([
  { says: 'no flags', bytes: 32, flags: 0, userVerified: false, backupEligible: true },
  { says: 'neither', bytes: 37, flags: 0, userVerified: false, backupEligible: false },
  { says: 'a verified user', bytes: 37, flags: 4, userVerified: true, backupEligible: false },
  { says: 'a key that can leave the device', bytes: 37, flags: 8, userVerified: false, backupEligible: true },
])('reads $says', ({ bytes, flags, says: _says, ...expected }) => {
  const data = Buffer.alloc(bytes);
  if (bytes > 32) data[32] = flags;
  expect(assertionFlags(data.toString('base64url'))).toEqual(expected);
});
