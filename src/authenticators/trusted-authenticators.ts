import type { Enrolled } from '../contract/enrolment.ts';
import type { Policy } from '../contract/policy.ts';
import { AppError } from '../shared/app-error.ts';
import type { AuthenticatorDeps } from './deps.ts';
import type { Credential, Credentials, StoredCredentials, StoredTotpApps, TotpApps } from './ports.ts';

type Deps = Pick<AuthenticatorDeps, 'vouches' | 'organizations' | 'policies' | 'clock'> & {
  credentials: StoredCredentials;
  totpApps: StoredTotpApps;
};

/**
 * The authenticators for all use cases, without authenticators that need a vouch by now: so none of them
 * approves, confirms or vouches, regardless of who asks.
 *
 * @throws AppError `installationNotFound` if there's no such organization.
 */
export function createTrustedAuthenticators(deps: Deps): { credentials: Credentials; totpApps: TotpApps } {
  const { credentials, totpApps, clock } = deps;
  const readPolicy = createReadPolicy(deps);

  const trusted: Pick<StoredCredentials, 'list'> & Pick<StoredTotpApps, 'find'> = {
    async list(userId, orgRecordId) {
      const [stored, policy] = await Promise.all([
        credentials.list(userId, orgRecordId),
        readPolicy(orgRecordId),
      ]);
      return findTrusted(deps, policy, stored);
    },

    async find(userId, orgRecordId) {
      const app = await totpApps.find(userId, orgRecordId);
      if (!app) return null;
      return isTrusted(await readPolicy(orgRecordId), app.enrolled, clock.now()) ? app : null;
    },
  };
  return {
    credentials: { ...credentials, list: trusted.list } as Credentials,
    totpApps: { ...totpApps, find: trusted.find } as TotpApps,
  };
}

/** GitHub's id of an account never changes, so it's read once. */
function createReadPolicy({ organizations, policies }: Deps): (orgRecordId: string) => Promise<Policy> {
  const orgIds = new Map<string, number>();
  return async (orgRecordId) => {
    const orgId = orgIds.get(orgRecordId) ?? (await organizations.byId(orgRecordId))?.orgId;
    // The policy of no organization is the default one, which trusts every authenticator.
    if (orgId === undefined) throw new AppError('installationNotFound');
    orgIds.set(orgRecordId, orgId);
    return (await policies.inForce(orgId)).policy;
  };
}

/** Tells whether a vouch, or the operator, let the person in. */
const hasVouch = (enrolled: Enrolled): boolean => enrolled === 'vouched' || enrolled === 'operator';

/** A vouch for an authenticator that came in without is a record of its own. */
async function withVouches<T extends Pick<Credential, 'id' | 'enrolled'>>(
  { vouches }: Pick<AuthenticatorDeps, 'vouches'>,
  credentials: T[],
): Promise<T[]> {
  const without = credentials.filter(({ enrolled }) => !hasVouch(enrolled));
  const vouched = await vouches.among(without.map(({ id }) => id));
  return credentials.map((one) => (vouched.has(one.id) ? { ...one, enrolled: 'vouched' } : one));
}

/** Finds the authenticators that count by this policy today: those with a vouch, if it asks each of them for one by now. */
export async function findTrusted<T extends Pick<Credential, 'id' | 'enrolled'>>(
  { vouches, clock }: Pick<AuthenticatorDeps, 'vouches' | 'clock'>,
  policy: Policy,
  all: T[],
): Promise<T[]> {
  if (all.length === 0) return [];
  const found = needsVouchForAll(policy) ? await withVouches({ vouches }, all) : all;
  return found.filter(({ enrolled }) => isTrusted(policy, enrolled, clock.now()));
}

/** Finds the credentials that have no vouch although the organization asks for one, now or from a day on. */
export async function findUnvouched(
  deps: Pick<AuthenticatorDeps, 'vouches'>,
  policy: Policy,
  credentials: Credential[],
): Promise<Credential[]> {
  if (!needsVouchForAll(policy)) return [];
  return (await withVouches(deps, credentials)).filter(({ enrolled }) => !hasVouch(enrolled));
}

/** Tells whether the organization asks for a vouch for authenticators enrolled without one, now or from a day on. */
export const needsVouchForAll = ({ enrolment }: Policy): boolean =>
  enrolment.mode === 'vouched' && enrolment.vouchExistingBy !== undefined;

/** Tells whether an authenticator enrolled this way counts without a vouch today. */
export function isTrusted(policy: Policy, enrolled: Enrolled, now: Date): boolean {
  if (!needsVouchForAll(policy) || hasVouch(enrolled)) return true;
  return now.toISOString().slice(0, 10) < (policy.enrolment.vouchExistingBy ?? '');
}
