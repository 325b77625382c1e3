import type { EmulatorClient } from './emulator-client.ts';
import type { Account, Repository } from './github-objects.ts';

/** An account's repositories. The emulator lists them for people only, so this searches. */
export function listRepositories(
  emulator: EmulatorClient,
  account: Account,
  token?: string,
): Promise<Repository[]> {
  const qualifier = account.type === 'User' ? 'user' : 'org';
  return emulator.list<Repository>(`/search/repositories?q=${qualifier}:${account.login}`, token);
}

/** The repository that a route names; undefined if there is none. */
export function readRepository(
  emulator: EmulatorClient,
  { owner, repo }: { owner?: unknown; repo?: unknown },
): Promise<Repository | undefined> {
  return emulator.get<Repository>(`/repos/${owner}/${repo}`);
}
