import type {
  OrganizationHealth,
  RepositoryCounts,
} from '../../../../../src/contract/organization-health.ts';
import type { Status } from '../status-row.tsx';
import { setupParts } from './setup-parts.ts';

type Summary = { status: Status; text: string };

/** The setup health in one line. `counts` is null if they couldn't be read. */
export function setupSummary(
  health: OrganizationHealth,
  counts: RepositoryCounts | null,
  now: number,
): Summary {
  const isUnprotected = counts !== null && requiredSummary(counts).status === 'wrong';
  const wrong = problemCount(health, now) + (isUnprotected ? 1 : 0);
  if (wrong > 0)
    return { status: 'wrong', text: wrong === 1 ? '1 problem to fix.' : `${wrong} problems to fix.` };
  const unknown = counts?.unknown ?? 0;
  if (unknown > 0) return { status: 'unknown', text: `Can't tell for ${repositoryCount(unknown)}.` };
  return { status: 'good', text: 'No problems found.' };
}

/** Counts the parts of the setup that need fixing, without the repositories. */
export const problemCount = (health: OrganizationHealth, now: number) =>
  setupParts(health, now).filter(({ status }) => status === 'wrong').length;

/** How many repositories require the check. */
export function requiredSummary({
  total,
  protected: required,
  anySource,
  unknown,
  unchecked,
}: RepositoryCounts): Summary {
  if (total === 0) return { status: 'wrong', text: NO_REPOSITORIES };
  const unreadable = unknown - unchecked;
  const text = [
    `${required} of ${repositoryCount(total)} ${required === 1 ? 'requires' : 'require'} the check.`,
    anySource > 0 && `${anySource} ${anySource === 1 ? 'takes' : 'take'} it from any source.`,
    unreadable > 0 && `${unreadable} can't be checked.`,
    unchecked > 0 && `${unchecked} ${unchecked === 1 ? "isn't" : "aren't"} checked yet.`,
  ];
  const rest = unknown > 0 ? 'unknown' : 'good';
  return {
    status: required + unknown < total ? 'wrong' : rest,
    text: text.filter((part) => part !== false).join(' '),
  };
}

export const NO_REPOSITORIES = "OTP Guard doesn't have access to any repositories.";

export const repositoryCount = (count: number) => (count === 1 ? '1 repository' : `${count} repositories`);
