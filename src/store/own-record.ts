import { AppError } from '../app-error.ts';
import type { StoreClient } from './client.ts';

type UserRecord = { id: string; github_id: number; username: string };
type OwnFields = { image: unknown; authenticators: unknown; address: string };

/** A session's user as the record store answers them, and the token that says so. */
export type Own = { token: string; record: UserRecord & Record<string, unknown> };

/**
 * The user of a session with what is theirs alone. Those fields are hidden in
 * the record store, from fellow members and from filters alike, and stand in
 * no answer but this one. `email` is the confirmed address, or empty: what the
 * record store keeps under that name is no address.
 *
 * @returns Null where the token does not serve.
 * @throws AppError `storeUnavailable`.
 */
export type OwnRecord = (token: string, expand?: string) => Promise<Own | null>;

export function createOwnRecord(client: StoreClient): OwnRecord {
  return async (token, expand) => {
    const own = await refresh(client, token, expand);
    if (!own) return null;
    const { image, authenticators, address } = await client.run((records) =>
      records
        .collection('gh_users')
        .getOne<OwnFields>(own.record.id, { fields: 'image,authenticators,address' }),
    );
    return { token: own.token, record: { ...own.record, image, authenticators, email: address } };
  };
}

/** Asks the record store whose token it is; it alone can tell whether one still serves. */
export async function refresh(client: StoreClient, token: string, expand?: string): Promise<Own | null> {
  const query = expand === undefined ? '' : `?${new URLSearchParams({ expand })}`;
  const answer = await fetch(`${client.url}/api/collections/gh_users/auth-refresh${query}`, {
    method: 'POST',
    headers: { authorization: token },
    signal: AbortSignal.timeout(5_000),
  }).catch((cause: unknown) => {
    throw new AppError('storeUnavailable', { cause });
  });
  if (answer.status >= 500) throw new AppError('storeUnavailable');
  return answer.ok ? ((await answer.json()) as Own) : null;
}
