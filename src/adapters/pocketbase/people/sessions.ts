import type { AuthenticatorMap } from '../../../contract/authenticators.ts';
import type { MyUserRecord, ReadMyUserRecord, Sessions } from '../../../people/ports.ts';
import { AppError } from '../../../shared/app-error.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import type { StoreClient } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { recordsOf } from '../records/records-of.ts';

/** The same as GitHub's user tokens for an App. */
const SESSION_S = 8 * 60 * 60;

/** Sessions are the record store's own tokens, so only the store can say whether one is still valid. */
export function createSessions(client: StoreClient, log: ActivityLog): Sessions {
  return {
    async begin(userId) {
      const session = await client.run((records) =>
        records.collection('gh_users').impersonate(userId, SESSION_S),
      );
      return session.authStore.token;
    },
    async read(token) {
      const refreshed = await refresh(client, token);
      if (!refreshed?.record.github_id) return null;
      const { id, github_id, username } = refreshed.record;
      return { userId: id, githubId: github_id, login: username };
    },
    async endAll(userId, effects) {
      // A new token key invalidates every token that was signed with the old one.
      const change = { 'tokenKey:autogenerate': '' };
      if (effects) {
        await log.send(effects, { change: (batch) => batch.collection('gh_users').update(userId, change) });
        return;
      }
      await recordsOf(client, 'gh_users').update(userId, change as object);
    },
  };
}

type ExpandedOrg = { org_id: number };
type MembershipRecord = { expand?: { org?: { image?: unknown } } };
type CredentialRecord = RecordOf<'webauthn'> & { expand?: { org?: ExpandedOrg } };
type TotpRecord = RecordOf<'totps'> & { expand?: { org_id?: ExpandedOrg } };

/** @param host The dashboard's origin, which each membership carries as its `host`. */
export function createReadMyUserRecord(client: StoreClient, host: string): ReadMyUserRecord {
  return async (token, expand) => {
    const refreshed = await refresh(client, token, expand);
    if (!refreshed) return null;
    const { id } = refreshed.record;
    const [{ image, address }, authenticators] = await Promise.all([
      recordsOf(client, 'gh_users').get(id, { fields: 'image,address' }),
      authenticatorsOf(client, id),
    ]);
    const record = withMemberships(refreshed.record, host);
    return { token: refreshed.token, record: { ...record, image, authenticators, email: address } };
  };
}

/** Gives each expanded membership its organization's security image and the dashboard's origin. */
function withMemberships(record: MyUserRecord['record'], host: string): MyUserRecord['record'] {
  const expand = record.expand as { org_members_via_user?: MembershipRecord[] } | undefined;
  const memberships = expand?.org_members_via_user?.map((membership) => ({
    ...membership,
    image: membership.expand?.org?.image ?? null,
    host,
  }));
  return memberships ? { ...record, expand: { ...expand, org_members_via_user: memberships } } : record;
}

/** A person's authenticators, by the organization's GitHub id. Read from the records, so it's always up to date. */
async function authenticatorsOf(client: StoreClient, userId: string): Promise<AuthenticatorMap> {
  const [credentials, totps] = await Promise.all([
    recordsOf<CredentialRecord>(client, 'webauthn').all(
      { user: userId },
      { sort: 'created,id', expand: 'org' },
    ),
    recordsOf<TotpRecord>(client, 'totps').all({ user_id: userId }, { expand: 'org_id' }),
  ]);
  const map: AuthenticatorMap = {};
  const entryFor = (org: ExpandedOrg | undefined) => {
    const orgId = String(org?.org_id ?? 0);
    map[orgId] ??= { totp: false, webauthn: [] };
    return map[orgId];
  };
  for (const { key_id, pending, expand } of credentials) {
    const entry = entryFor(expand?.org);
    if (pending === '') entry.webauthn.push({ id: key_id });
    else entry.pending = { id: key_id };
  }
  for (const { expand } of totps) entryFor(expand?.org_id).totp = true;
  return map;
}

/** Asks the record store whose token this is, and for a new one. Null if it's no longer valid. */
export async function refresh(
  client: StoreClient,
  token: string,
  expand?: string,
): Promise<MyUserRecord | null> {
  const query = expand === undefined ? '' : `?${new URLSearchParams({ expand })}`;
  const answer = await fetch(`${client.url}/api/collections/gh_users/auth-refresh${query}`, {
    method: 'POST',
    headers: { authorization: token },
    signal: AbortSignal.timeout(5_000),
  }).catch((cause: unknown) => {
    throw new AppError('storeUnavailable', { cause });
  });
  if (answer.status >= 500) throw new AppError('storeUnavailable');
  return answer.status === 200 ? ((await answer.json()) as MyUserRecord) : null;
}
