import { expect, test } from '@jest/globals';
import { knownInfo } from '../../../web/src/lib/info.ts';

test.each([
  'Successfully set image',
  'Successfully edited authenticator',
  'Connect your first repository with GitHub',
  'Thanks for connecting to GitHub! Please refresh in a few minutes to see your repositories',
])('shows its own words: %s', (info) => {
  expect(knownInfo(info)).toBe(info);
});

test.each([
  '',
  'successfully set image',
  'Successfully set image. Call 555-0100 to confirm it',
  ' Successfully set image',
  '<b>Successfully set image</b>',
  'constructor',
])('ignores what anybody else wrote: %j', (info) => {
  expect(knownInfo(info)).toBeNull();
});
