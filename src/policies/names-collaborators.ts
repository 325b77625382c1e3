import type { Policy } from '../contract/policy.ts';
import { createCaselessGlobs } from './globs.ts';
import { MOST_STEPS } from './match-files.ts';

/** Whether an enforced rule about the repository, or about any if none is given, takes approvals of outside collaborators. */
export function namesCollaborators(policy: Policy, repository?: string): boolean {
  return repository === undefined ? rulesOf(policy).length > 0 : createNamesCollaborators(policy)(repository);
}

/** The same for one repository after the other. Once they took too many steps together, the others may be named. */
export function createNamesCollaborators(policy: Policy): (repository: string) => boolean {
  const work = { steps: MOST_STEPS };
  const globs = rulesOf(policy).map(({ when: { repositories } }) =>
    createCaselessGlobs(repositories ?? ['*']),
  );
  return (repository) => globs.some((matches) => matches(repository, work) !== 'no');
}

const rulesOf = ({ rules }: Policy) =>
  rules.filter(
    ({ enforced, require: { approvals, from } }) =>
      enforced && approvals > 0 && from.includes('collaborators'),
  );
