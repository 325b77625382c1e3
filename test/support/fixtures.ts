import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** JSON whose shape the fixture's file shows; a test reads and changes what it knows to be there. */
// biome-ignore lint/suspicious/noExplicitAny: the payloads have hundreds of members, and a test names a few of them
export type Json = any;

type Change = (payload: Json) => void;

const folder = join(import.meta.dirname, '../../fixtures');

/** `fixtures/webhooks/<name>.json`, name being `<event>.<action>`: a copy of its own, with the change applied. */
export function webhookFixture(name: string, change?: Change): Json {
  return read('webhooks', name, change);
}

/** `fixtures/github/<name>.json`, an answer of GitHub's API: a copy of its own, with the change applied. */
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
