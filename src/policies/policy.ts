import type { Effects } from '../audit/ports.ts';
import { accountOf } from '../audit/subjects.ts';
import { changedParts } from '../contract/activity.ts';
import { DEFAULT_POLICY } from '../contract/default-policy.ts';
import { faultSentence, type Policy, parsePolicy } from '../contract/policy.ts';
import { noticesTo } from '../notices/notices-to.ts';
import type { Organization } from '../organizations/ports.ts';
import { type RoleDeps, requireMember } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import { sha256OfJson } from '../shared/crypto.ts';
import type { Policies } from './ports.ts';

/** The hash that a step-up binds a policy by, and by which two policies are compared. */
export const policySha256 = (policy: unknown): string => sha256OfJson(policy);

/**
 * The policy that a client sent, with every part that was left out, and the hash of what was sent.
 *
 * @throws AppError `wrongPolicy` with the path of its first fault.
 */
export function requirePolicy(sent: unknown): { policy: Policy; sha256: string } {
  const { policy, fault } = parsePolicy(sent);
  if (!policy) throw new AppError('wrongPolicy', { sentence: faultSentence(fault) });
  return { policy, sha256: policySha256(sent) };
}

/**
 * The policy in force, for members.
 *
 * @throws AppError with each refusal of `requireMember`.
 */
export async function readPolicy(
  deps: RoleDeps & { policies: Policies },
  input: { session: Session; orgID: number },
): Promise<Policy> {
  const org = await requireMember(deps, input.session, input.orgID);
  return (await deps.policies.inForce(org.orgId)).policy;
}

const NOT_OURS = 'The policy in the database isn’t ours: an owner has to set it again';
const BY_NOBODY: Policy['rules'][number]['require'] = {
  approvals: 1,
  from: [],
  notBy: [],
  userVerification: 'preferred',
};

/**
 * In force if OTP Guard didn't write an organization's newest policy: no check passes until an owner
 * sets one again, and nobody's first authenticator counts without a vouch.
 */
export const UNMEETABLE_POLICY: Policy = {
  ...DEFAULT_POLICY,
  enrolment: { ...DEFAULT_POLICY.enrolment, mode: 'vouched' },
  rules: [
    { name: NOT_OURS, enforced: true, when: { authors: 'anyone' }, require: BY_NOBODY },
    { name: NOT_OURS, enforced: true, when: { authors: 'anyone', environments: ['**'] }, require: BY_NOBODY },
  ],
};

/** Logs a new policy with what it changes, and notifies the owners and the person who set it. */
export function policyEffects(
  by: Session,
  about: {
    org: Organization;
    owners: string[];
    before: Policy;
    after: Policy;
    number: number;
    /** Commits to what the owner signed; undefined for a one-time code, which signs nothing. */
    proofSha256: string | undefined;
  },
): Effects {
  const { org, owners, before, after, number, proofSha256 } = about;
  return {
    activity: {
      activity: 'policyChange',
      userId: by.userId,
      orgRecordId: org.id,
      data: { login: by.login, org: org.name, number, ...changedParts(before, after) },
      facts: { policySha256: policySha256(after) },
      personFacts: { by: accountOf(by), ...(proofSha256 !== undefined && { proofSha256 }) },
    },
    notices: noticesTo([by.userId, ...owners], 'policyChanged', { org: org.name, by: by.login }),
  };
}
