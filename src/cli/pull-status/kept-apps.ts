import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type AppOptions, type GitHubEnv, givenAppId, publishedAppId } from '../github-access.ts';
import { addressOf } from '../read-key-list.ts';
import { UsageError } from '../usage-error.ts';

/** The Apps of the servers that this user named before: so the command answers while a server is down. */
const keptApps = z.array(z.object({ github: z.string(), origin: z.string(), app: z.int().positive() }));

/** In the folder of the XDG Base Directory Specification 0.8; relative paths there are invalid. */
export function keptFile({ XDG_CONFIG_HOME: config, HOME: home }: GitHubEnv): string {
  const folder = config?.startsWith('/') ? config : join(home || homedir(), '.config');
  return join(folder, 'otp-guard', 'apps.json');
}

/**
 * The App whose runs count: the number that was given, the one that was learned from this origin before, or the one that
 * the origin publishes now, which is kept. Without an origin, it's the only one that was learned for this GitHub.
 *
 * @throws UsageError if nothing says which App it is.
 */
export async function findAppId(options: AppOptions, env: GitHubEnv, github: string): Promise<number> {
  const given = givenAppId(options, env);
  if (given !== undefined) return given;
  const file = keptFile(env);
  const kept = await readKept(file);
  const origin = options.origin === undefined ? undefined : addressOf(options.origin).origin;
  const known = kept.filter((one) => one.github === github && (origin ?? one.origin) === one.origin);
  const [first, second] = known;
  if (second) throw new UsageError('You use several OTP Guards: give --origin with the address of one.');
  if (first) return first.app;
  const app = await publishedAppId(options);
  if (origin !== undefined) await keep(file, [...kept, { github, origin, app }]);
  return app;
}

async function readKept(file: string): Promise<z.infer<typeof keptApps>> {
  try {
    return keptApps.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return [];
  }
}

/** Never rejects: without the file, the next call asks the server again. */
async function keep(file: string, apps: z.infer<typeof keptApps>): Promise<void> {
  try {
    await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
    const next = `${file}.${process.pid}`;
    await writeFile(next, `${JSON.stringify(apps, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(next, file);
  } catch {
    // A home that can't be written is no reason to fail.
  }
}
