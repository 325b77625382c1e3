import type { AuthenticatorDeps } from '../../authenticators/deps.ts';
import { proofSha256 } from '../../authenticators/logged-credential.ts';
import { requireProof, requireStepUp } from '../../authenticators/step-up/step-up.ts';
import { findUnvouched, isTrusted, needsVouchForAll } from '../../authenticators/trusted-authenticators.ts';
import type { Policy } from '../../contract/policy.ts';
import type { StepUp } from '../../contract/step-up.ts';
import { requireOwner } from '../../organizations/require-role.ts';
import type { Person } from '../../people/ports.ts';
import { policyEffects, policySha256, requirePolicy } from '../../policies/policy.ts';
import type { StoredPolicy } from '../../policies/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { PolicyDeps } from './deps.ts';

/**
 * Puts a policy in force for an organization, for an owner who confirms it with
 * their own authenticator: with a passkey or key, they sign this policy. Logs it,
 * notifies the owners, and judges every open head again.
 *
 * @param input.replaces The hash of the policy that the owner changed, if they say so.
 * @returns The policy with every part that was left out.
 * @throws AppError `notOwner`, `wrongPolicy` with the path of the first fault,
 *   `policyMoved` if another owner changed it in the meantime, and the refusals of the
 *   step-up. Only a step-up for this very policy is used up.
 */
export async function setPolicy(
  deps: AuthenticatorDeps & Pick<PolicyDeps, 'policies' | 'judgeAgain'>,
  input: {
    person: Person;
    orgID: number;
    policy: unknown;
    replaces: string | undefined;
    proof: StepUp | undefined;
  },
): Promise<Policy> {
  const { person, replaces } = input;
  const org = await requireOwner(deps, person, input.orgID);
  const { policy, sha256 } = requirePolicy(input.policy);
  requireMail(deps, policy);
  await requireOwnVouch(deps, { userId: person.userId, orgRecordId: org.id, policy });
  const before = await deps.policies.inForce(org.orgId);
  if (replaces !== undefined && replaces !== policySha256(before.policy)) throw policyMoved(before, person);
  const { signed } = await requireStepUp(deps, {
    session: person,
    org,
    action: { type: 'change-policy', policySha256: sha256 },
    proof: requireProof(input.proof, 'change the policy'),
  });
  const owners = await deps.memberships.ownersToNotify(org.id);
  const number = before.number + 1;
  const effects = policyEffects(person, {
    org,
    owners,
    before: before.policy,
    after: policy,
    number,
    proofSha256: signed ? proofSha256(signed) : undefined,
  });
  const change = { policy, replaces: before.number, by: person, signed };
  if (!(await deps.policies.save(org, change, effects)))
    throw policyMoved(await deps.policies.inForce(org.orgId), person);
  deps.judgeAgain(org);
  return policy;
}

/** Names the owner whose policy is in force instead. */
const policyMoved = ({ by }: StoredPolicy, person: Person): AppError =>
  new AppError(
    'policyMoved',
    by
      ? {
          sentence: `${by === person.login ? 'You' : by} changed the policy in the meantime. Read the new one, then save yours again.`,
        }
      : {},
  );

/** Nobody could register a first authenticator any more if the server can't send mail. */
function requireMail({ mailer }: Pick<AuthenticatorDeps, 'mailer'>, { enrolment }: Policy): void {
  if (enrolment.mode !== 'email' || mailer) return;
  throw new AppError('wrongPolicy', {
    sentence: "enrolment.mode: This server doesn't send e-mail. Its operator can set it up.",
  });
}

/**
 * Requires that an owner who makes vouches necessary immediately can still vouch for the others. If nobody could, every
 * authenticator of the organization would count for nothing, and nobody could take the change back.
 *
 * @throws AppError `wrongPolicy` if no passkey or security key of theirs would count.
 */
async function requireOwnVouch(
  deps: AuthenticatorDeps,
  { userId, orgRecordId, policy }: { userId: string; orgRecordId: string; policy: Policy },
): Promise<void> {
  if (!needsVouchForAll(policy) || isTrusted(policy, '', deps.clock.now())) return;
  const own = await deps.credentials.list(userId, orgRecordId);
  const unvouched = await findUnvouched(deps, policy, own);
  if (unvouched.length < own.length) return;
  throw new AppError('wrongPolicy', {
    sentence:
      'enrolment.vouchExistingBy: Nobody vouched for a passkey or security key of yours, so none would count from that day on. Choose a later day.',
  });
}
