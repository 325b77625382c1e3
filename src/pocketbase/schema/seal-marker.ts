import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRecordMac } from '../../record-mac.ts';
import { createSecretKeys } from '../../secret-key.ts';
import type { Config } from '../../settings/config.ts';
import { StartError } from '../../start-error.ts';

type MarkerConfig = Pick<Config, 'store' | 'secretKeys'>;

/** The file that says that the embedded store's records were sealed. */
export type SealMarker = {
  exists(): boolean;
  /** False if it doesn't exist, or was made with another key. */
  isValid(): boolean;
  write(now: Date): void;
};

const NAME = 'records-sealed';

const OTHER_KEY =
  'SECRET_KEY is not the key that the records were sealed with. Put that key behind the new one (new,old), then run otp-guard rotate-key. If the key is lost: docs/keys.md, "Changing SECRET_KEY".';

/**
 * The marker is beside the store and not in it: with access to the database
 * alone, nobody can have forged records sealed. Null for an external store,
 * which has no folder.
 */
export function sealMarker({ store, secretKeys }: MarkerConfig): SealMarker | null {
  if (store.kind === 'external') return null;
  const path = join(store.dataDir, 'records-sealed.json');
  const mac = () => createRecordMac(createSecretKeys({ store, secretKeys }));
  return {
    exists: () => existsSync(path),
    isValid() {
      try {
        const { sealedAt, ...content } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
        return mac().verify(NAME, '', { sealedAt }, String(content.mac));
      } catch {
        return false;
      }
    },
    write(now) {
      const sealedAt = now.toISOString();
      const content = { sealedAt, mac: mac().sign(NAME, '', { sealedAt }) };
      writeFileSync(path, `${JSON.stringify(content)}\n`, { mode: 0o600 });
    },
  };
}

/**
 * Checks what the marker says about the key of the embedded store.
 *
 * @returns Whether there is a marker.
 * @throws StartError if it was made with another key.
 */
export function requireSealingKey(config: MarkerConfig): boolean {
  const marker = sealMarker(config);
  if (!marker?.exists()) return false;
  if (!marker.isValid()) throw otherKey();
  return true;
}

/** The keys in `SECRET_KEY` aren't those of the records. */
export const otherKey = () => new StartError(OTHER_KEY);
