import type { Effects } from '../audit/ports.ts';
import { accountOf } from '../audit/subjects.ts';
import { changedParts } from '../contract/activity.ts';
import type { Policy } from '../contract/policy.ts';
import type { Organization } from '../organizations/ports.ts';
import type { Session } from '../people/ports.ts';
import { policySha256 } from './require-policy.ts';

/** Logs a new policy with what it changes, and notifies the owners and the person who set it. */
export function policyEffects(
  by: Pick<Session, 'userId' | 'githubId' | 'login'>,
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
    notices: [...new Set([by.userId, ...owners])].map((userId) => ({
      kind: 'policyChanged',
      userId,
      data: { org: org.name, by: by.login },
    })),
  };
}
