import type { WaitingAuthenticator } from '../../contract/enrolment.ts';
import type { Organization } from '../../organizations/ports.ts';
import type { Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { comparisonOf, toWaiting } from '../comparison.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import { confirmOwnerEffects, holderOf } from '../effects.ts';
import type { Credential } from '../ports.ts';
import { findUnvouched } from '../trusted-authenticators.ts';

/**
 * Confirms an owner's authenticator for the operator, for an organization in which nobody can vouch for them.
 * It's logged, and every owner gets a notice.
 *
 * @param input.code The six digits that the owner read out; without them nothing changes, and owners who wait
 *   are returned.
 * @throws AppError `notOwner`, `authenticatorNotFound`, `wrongCode`, `alreadyDecided`.
 */
export async function confirmOwner(
  deps: AuthenticatorDeps,
  input: { org: Organization; owner: Session; code: string | undefined },
): Promise<{ waiting: WaitingAuthenticator[] } | { confirmed: WaitingAuthenticator }> {
  const { org, owner, code } = input;
  const role = await deps.members.role(org, owner);
  if (role !== 'admin')
    throw new AppError('notOwner', {
      sentence: `${owner.login} isn't an owner of ${org.name} on GitHub.`,
    });
  const waiting = await findWaiting(deps, org, owner);
  const shown = (credential: Credential) =>
    toWaiting(credential, { holder: { id: owner.githubId, login: owner.login }, org });
  if (waiting.length === 0)
    throw new AppError('authenticatorNotFound', {
      sentence: `No authenticator of ${owner.login} in ${org.name} waits for a vouch.`,
    });
  if (code === undefined) return { waiting: waiting.map(shown) };
  const chosen = waiting.find((one) => digitsOf(comparisonOf(one)) === digitsOf(code));
  if (!chosen)
    throw new AppError('wrongCode', {
      sentence: `${code} isn't the code of an authenticator of ${owner.login}.`,
    });
  const holder = holderOf(owner, org);
  const owners = await deps.memberships.ownersToNotify(org.id);
  const confirmed = await deps.vouches.confirm(
    chosen,
    {
      enrolled: 'operator',
      holder,
      voucher: { githubId: 0, login: '' },
      proof: null,
    },
    confirmOwnerEffects({ holder, authenticator: chosen, owners }),
  );
  if (!confirmed) throw new AppError('alreadyDecided');
  return { confirmed: shown(chosen) };
}

async function findWaiting(
  deps: AuthenticatorDeps,
  org: Organization,
  { userId }: Session,
): Promise<Credential[]> {
  const { policy } = await deps.policies.inForce(org.orgId);
  const all = await deps.credentials.all(userId, org.id);
  const unvouched = new Set(await findUnvouched(deps, policy, all));
  return all.filter((one) => one.pending === 'vouch' || (one.pending === '' && unvouched.has(one)));
}

const digitsOf = (text: string) => text.replace(/\D/g, '');
