import { expect, it } from '@jest/globals';
import { readText } from '../../../src/cli/read-file.ts';
import { UnreadableError, UsageError } from '../../../src/cli/usage-error.ts';

it.each([
  ['none.json', UsageError, 'There is no file none.json.'],
  ['src', UsageError, 'src isn’t a file.'],
  [
    'package.json/keys.json',
    UnreadableError,
    'package.json/keys.json can’t be read (ENOTDIR: not a directory).',
  ],
])('a file that can’t be read is refused with what failed: %s', async (path, kind, sentence) => {
  const refusal = await readText(path, 1).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(kind);
  expect(refusal).toMatchObject({ message: sentence });
});
