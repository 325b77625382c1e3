import type { Effects } from '../audit/ports.ts';
import { changedParts } from '../contract/changed-parts.ts';
import type { Policy } from '../contract/policy.ts';
import type { Organization } from '../organizations/ports.ts';

/** Logs a new policy with what it changes, and notifies the owners and the person who set it. */
export function policyEffects(
  by: { userId: string; login: string },
  about: { org: Organization; owners: string[]; before: Policy; after: Policy; number: number },
): Effects {
  const { org, owners, before, after, number } = about;
  return {
    activity: {
      activity: 'policyChange',
      userId: by.userId,
      orgRecordId: org.id,
      data: { login: by.login, org: org.name, number, ...changedParts(before, after) },
    },
    notices: [...new Set([by.userId, ...owners])].map((userId) => ({
      kind: 'policyChanged',
      userId,
      data: { org: org.name, by: by.login },
    })),
  };
}
