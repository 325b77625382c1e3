import type {
  CheckRequirement,
  OrganizationHealth,
} from '../../../../../src/contract/organization-health.ts';
import type { Status } from '../status.ts';
import { fullCheckStatus, permissionsStatus, REQUIREMENT_STATUS, webhooksStatus } from './part-status.ts';

type Summary = { status: Status; text: string };

/** The setup health in one line, for the repositories that have been read so far. */
export function setupSummary(health: OrganizationHealth, now: number): Summary {
  const { permissions, webhooks, isProxyUnknown, sweep, repositories, next } = health;
  const statuses = [
    permissionsStatus(permissions),
    webhooksStatus(webhooks),
    fullCheckStatus(sweep, now),
    isProxyUnknown ? ('wrong' as const) : ('good' as const),
    repositories.length > 0 ? ('good' as const) : ('wrong' as const),
    ...repositories.map(({ required }) => REQUIREMENT_STATUS[required]),
  ];
  const count = (wanted: Status) => statuses.filter((status) => status === wanted).length;
  const [wrong, unknown] = [count('wrong'), count('unknown')];
  if (wrong > 0)
    return { status: 'wrong', text: wrong === 1 ? '1 problem to fix.' : `${wrong} problems to fix.` };
  if (unknown > 0) return { status: 'unknown', text: `${repositoryCount(unknown)} can't be checked.` };
  const scope = next === null ? '' : ` in the first ${repositoryCount(repositories.length)}`;
  return { status: 'good', text: `No problems found${scope}.` };
}

/** How many of the repositories read so far require the check. */
export function requiredSummary(health: Pick<OrganizationHealth, 'repositories' | 'next'> | null): Summary {
  if (!health)
    return { status: 'unknown', text: "We can't tell right now which repositories require the check." };
  const { repositories, next } = health;
  const all = repositories.length;
  if (all === 0) return { status: 'wrong', text: NO_REPOSITORIES };
  const count = (wanted: CheckRequirement) =>
    repositories.filter(({ required }) => required === wanted).length;
  const [thisApp, anySource, unknown] = [count('thisApp'), count('anySource'), count('unknown')];
  const scope = `${repositoryCount(all)}${next === null ? '' : ' shown'}`;
  if (unknown === all) {
    const subject = all === 1 ? 'the repository requires' : `the ${scope} require`;
    return { status: 'unknown', text: `We can't tell whether ${subject} the check.` };
  }
  const required = thisApp + anySource;
  const text = [
    `${required} of ${scope} ${required === 1 ? 'requires' : 'require'} the check`,
    anySource > 0 ? `, ${anySource} of them from any source.` : '.',
    unknown > 0 ? ` ${unknown} can't be checked.` : '',
  ];
  const rest = unknown > 0 ? 'unknown' : 'good';
  return { status: thisApp + unknown < all ? 'wrong' : rest, text: text.join('') };
}

export const NO_REPOSITORIES = "OTP Guard doesn't have access to any repositories.";

const repositoryCount = (count: number) => (count === 1 ? '1 repository' : `${count} repositories`);
