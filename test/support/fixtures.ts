import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** JSON of a fixture's file. */
// biome-ignore lint/suspicious/noExplicitAny: the payloads have hundreds of members, and each test uses a few of them
export type Json = any;

type Change = (payload: Json) => void;

const folder = join(import.meta.dirname, '../../fixtures');

/** A copy of `fixtures/webhooks/<event>.<action>.json` with the change applied. */
export function webhookFixture(name: string, change?: Change): Json {
  return read('webhooks', name, change);
}

/** A copy of `fixtures/github/<name>.json`, a response of GitHub's API, with the change applied. */
export function githubFixture(name: string, change?: Change): Json {
  return read('github', name, change);
}

function read(kind: 'webhooks' | 'github', name: string, change: Change = () => {}): Json {
  const files = readdirSync(join(folder, kind));
  if (!files.includes(`${name}.json`))
    throw new Error(`No fixture ${kind}/${name}.json; there are ${files.join(', ')}`);
  const payload = JSON.parse(readFileSync(join(folder, kind, `${name}.json`), 'utf8'));
  change(payload);
  return payload;
}
