import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { expect, test } from '@jest/globals';
import { cross } from '../../../web/src/components/cross.ts';
import { key, phone } from '../../../web/src/components/kinds.ts';
import { alert, info } from '../../../web/src/components/notice-outlines.ts';
import * as outlines from '../../../web/src/components/outlines.ts';
import { githubMark } from '../../../web/src/features/sign-in/github-mark.ts';

const set = dirname(createRequire(import.meta.url).resolve('@primer/octicons-react'));

/** The outline of an icon at 16 px, as the set has it. */
function outlineOf(icon: string): string {
  const source = readFileSync(`${set}/icons/${icon}.mjs`, 'utf8');
  const at16 = source.slice(source.indexOf('"16": {')).split('"24": {')[0] ?? '';
  return [...at16.matchAll(/ d: "([^"]+)"/g)].map(([, path]) => path).join('');
}

test.each([
  ['HomeIcon', outlines.home],
  ['StopIcon', outlines.error],
  ['LinkExternalIcon', outlines.external],
  ['PasskeyFillIcon', outlines.passkey],
  ['CheckCircleFillIcon', outlines.done],
  ['DeviceMobileIcon', phone],
  ['KeyIcon', key],
  ['XCircleFillIcon', cross],
  ['MarkGithubIcon', githubMark],
  ['AlertIcon', alert],
  ['InfoIcon', info],
])('%s is drawn as the icon set has it', (icon, outline) => {
  expect(outline).toBe(outlineOf(icon));
});
