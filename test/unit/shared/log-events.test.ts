import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { LOG_EVENTS } from '../../../src/shared/log-events.ts';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && path !== 'shared/log-events.ts')
  .map((path) => readFileSync(join('src', path), 'utf8'));

it('each log line has a stable name, and each name is in the docs, once', () => {
  const [, section = ''] = /^## Logs\n(.*?)^## /ms.exec(readFileSync('docs/monitoring.md', 'utf8')) ?? [];
  expect(section.match(/(?<=^\| `)\w+(?=`)/gm)).toEqual([...LOG_EVENTS]);
  for (const name of LOG_EVENTS)
    expect([name, sources.some((source) => source.includes(`'${name}'`))]).toEqual([name, true]);
  const calls = sources.flatMap(
    (source) => source.match(/[lL]og(\??\.(info|warn|error)|\[[^\]]+\])\([^)]{0,40}/g) ?? [],
  );
  expect(calls.length).toBeGreaterThan(30);
  expect(calls.filter((call) => !/\(\s*\{ event\b/.test(call))).toEqual([]);
});
