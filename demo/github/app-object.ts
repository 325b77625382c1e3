import { APP } from './credentials.ts';
import type { EmulatorClient } from './emulator-client.ts';
import type { Account, AppAccess } from './github-objects.ts';

const CREATED = '2026-01-05T09:00:00Z';

/** Returns a function that reads the App as check runs and `GET /app` show it; `page` is its page. Its owner is octocat. */
export function createAppObject(emulator: EmulatorClient, page: string, requested: AppAccess) {
  let owner: Promise<Account | undefined> | undefined;
  return async () => {
    owner ??= emulator.get<Account>('/users/octocat');
    return {
      ...APP,
      node_id: `${APP.id}`,
      owner: await owner,
      description: null,
      html_url: page,
      external_url: page,
      created_at: CREATED,
      updated_at: CREATED,
      ...requested,
    };
  };
}

export type ReadApp = ReturnType<typeof createAppObject>;
