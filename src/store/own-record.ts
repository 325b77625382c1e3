import { AppError } from '../app-error.ts';
import type { AuthenticatorMap } from '../contract/authenticators.ts';
import type { StoreClient } from './client.ts';

type UserRecord = { id: string; github_id: number; username: string };
type OwnFields = { image: unknown; address: string };
type OrgOf = { org_id: number };
type KeyRecord = { key_id: string; expand?: { org?: OrgOf } };
type AppRecord = { expand?: { org_id?: OrgOf } };

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
    const [{ image, address }, authenticators] = await Promise.all([
      client.run((records) =>
        records.collection('gh_users').getOne<OwnFields>(own.record.id, { fields: 'image,address' }),
      ),
      authenticatorsOf(client, own.record.id),
    ]);
    return { token: own.token, record: { ...own.record, image, authenticators, email: address } };
  };
}

/** What a person has registered, by the organization's GitHub id: read from the records, and so never behind them. */
async function authenticatorsOf(client: StoreClient, userId: string): Promise<AuthenticatorMap> {
  const [keys, apps] = await Promise.all([
    client.run((records) =>
      records.collection('webauthn').getFullList<KeyRecord>({
        filter: records.filter('user = {:userId}', { userId }),
        sort: 'created,id',
        expand: 'org',
      }),
    ),
    client.run((records) =>
      records.collection('totps').getFullList<AppRecord>({
        filter: records.filter('user_id = {:userId}', { userId }),
        expand: 'org_id',
      }),
    ),
  ]);
  const map: AuthenticatorMap = {};
  const of = (org: OrgOf | undefined) => {
    const key = String(org?.org_id ?? 0);
    map[key] ??= { totp: false, webauthn: [] };
    return map[key];
  };
  for (const { key_id, expand } of keys) of(expand?.org).webauthn.push({ id: key_id });
  for (const { expand } of apps) of(expand?.org_id).totp = true;
  return map;
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
