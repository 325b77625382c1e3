import { expect, it } from '@jest/globals';
import { enterpriseVersionIn, isOlderThanChecked } from '../../../../src/adapters/github/app-registration.ts';

it.each([
  [{}, null],
  [{ 'x-github-enterprise-version': '3.19.2' }, '3.19.2'],
  [{ 'x-github-enterprise-version': '3.23.0.rc1' }, '3.23.0.rc1'],
  [{ 'x-github-enterprise-version': '<script>' }, null],
])('finds in %j the version %s', (headers, version) => expect(enterpriseVersionIn(headers)).toBe(version));

it.each([
  ['2.22.1', true],
  ['3.9.10', true],
  ['3.16.9', true],
  ['3.17.0', false],
  ['3.22.1', false],
  ['4.0.0', false],
])('knows whether %s is older than what was compared: %s', (version, isOlder) =>
  expect(isOlderThanChecked(version)).toBe(isOlder),
);
