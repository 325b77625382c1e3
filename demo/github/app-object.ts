import { APP } from './credentials.ts';
import type { EmulatorClient } from './emulator-client.ts';
import type { Account, AppAccess, OtherApp } from './github-objects.ts';

const CREATED = '2026-01-05T09:00:00Z';

/**
 * Returns a function that reads an App as check runs and `GET /app` show it: ours, unless another one is given. `pageOf` makes
 * the address of its page. Its owner is octocat.
 */
export function createAppObject(
  emulator: EmulatorClient,
  pageOf: (slug: string) => string,
  requested: AppAccess,
) {
  let owner: Promise<Account | undefined> | undefined;
  return async (other?: OtherApp) => {
    owner ??= emulator.get<Account>('/users/octocat');
    const { id, slug, name, permissions, events } = other ?? { ...APP, ...requested };
    return {
      id,
      slug,
      name,
      node_id: `${id}`,
      owner: await owner,
      description: null,
      html_url: pageOf(slug),
      external_url: pageOf(slug),
      created_at: CREATED,
      updated_at: CREATED,
      permissions,
      events,
    };
  };
}

export type ReadApp = ReturnType<typeof createAppObject>;
