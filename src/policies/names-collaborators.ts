import type { Policy } from '../contract/policy.ts';
import { createCaselessGlobs } from './globs.ts';

/** Whether an enforced rule about the repository, or about any if none is given, takes approvals of outside collaborators. */
export function namesCollaborators({ rules }: Policy, repository?: string): boolean {
  return rules.some(
    ({ enforced, when: { repositories }, require: { approvals, from } }) =>
      enforced &&
      approvals > 0 &&
      from.includes('collaborators') &&
      (repository === undefined || !repositories || createCaselessGlobs(repositories)(repository) !== 'no'),
  );
}
