import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../settings/config.ts';
import { StartError } from '../../../shared/app-error.ts';
import { createRecordMac } from '../../../shared/crypto.ts';
import { createSecretKeys } from '../../../shared/secret-key.ts';

type MarkerConfig = Pick<Config, 'store' | 'secretKeys'>;

const NAME = 'records-sealed';

const OTHER_KEY =
  'SECRET_KEY is not the key that the records were sealed with. Put that key behind the new one (new,old), then run otp-guard rotate-key. If the key is lost: docs/keys.md, "Changing SECRET_KEY".';

/**
 * Checks that `SECRET_KEY` has the key of the embedded store. A marker file next to the store says which key that is.
 *
 * @returns Whether there is a marker. An external store has no folder, and so none.
 * @throws StartError if the marker was made with another key.
 */
export function requireSealingKey(config: MarkerConfig): boolean {
  const path = markerPath(config);
  if (!path || !existsSync(path)) return false;
  if (!isMadeWith(config, readFileSync(path, 'utf8'))) throw otherKey();
  return true;
}

/** Writes the marker of the embedded store with the current key. Does nothing for an external store. */
export function noteSealingKey(config: MarkerConfig, now: Date): void {
  const path = markerPath(config);
  if (!path) return;
  const sealedAt = now.toISOString();
  const content = { sealedAt, mac: macFor(config).sign(NAME, '', { sealedAt }) };
  writeFileSync(path, `${JSON.stringify(content)}\n`, { mode: 0o600 });
}

/** The keys in `SECRET_KEY` aren't those of the records. */
export const otherKey = () => new StartError(OTHER_KEY);

const markerPath = ({ store }: MarkerConfig) =>
  store.kind === 'embedded' ? join(store.dataDir, 'records-sealed.json') : null;

const macFor = (config: MarkerConfig) => createRecordMac(createSecretKeys(config));

function isMadeWith(config: MarkerConfig, marker: string): boolean {
  try {
    const { sealedAt, mac } = JSON.parse(marker) as Record<string, unknown>;
    return macFor(config).verify(NAME, '', { sealedAt }, String(mac));
  } catch {
    return false;
  }
}
