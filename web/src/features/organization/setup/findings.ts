import type { CheckRequirement, OrganizationHealth } from '../../../../../src/contract/organization.ts';
import { toIso } from '../../../lib/times.ts';
import type { Mark } from '../mark.ts';

/** The sweeper makes a round every few minutes. */
const SILENT_MS = 60 * 60_000;

export const permissionsMark = ({ missing, isPending }: OrganizationHealth['permissions']): Mark =>
  missing.length > 0 || isPending ? 'wrong' : 'good';

export const webhooksMark = ({ last, missed }: OrganizationHealth['webhooks']): Mark =>
  last === null || missed > 0 ? 'wrong' : 'good';

/** A sweeper that is silent is as good as none. */
export const isSilent = ({ at }: NonNullable<OrganizationHealth['sweep']>, now: number) =>
  now - Date.parse(toIso(at)) > SILENT_MS;

export const sweepMark = (sweep: OrganizationHealth['sweep'], now: number): Mark =>
  !sweep || sweep.faults.length > 0 || isSilent(sweep, now) ? 'wrong' : 'good';

export const REQUIREMENT_MARKS: Record<CheckRequirement, Mark> = {
  thisApp: 'good',
  anySource: 'wrong',
  no: 'wrong',
  unknown: 'unknown',
};

/** Whether it is set up right, as far as the repositories that were read; in one line. */
export function verdict(health: OrganizationHealth, now: number): { mark: Mark; text: string } {
  const { permissions, webhooks, sweep, repositories, next } = health;
  const marks = [
    permissionsMark(permissions),
    webhooksMark(webhooks),
    sweepMark(sweep, now),
    repositories.length > 0 ? ('good' as const) : ('wrong' as const),
    ...repositories.map(({ required }) => REQUIREMENT_MARKS[required]),
  ];
  const wrong = marks.filter((mark) => mark === 'wrong').length;
  const unknown = marks.filter((mark) => mark === 'unknown').length;
  if (wrong > 0) {
    return { mark: 'wrong', text: `Not yet: ${wrong === 1 ? 'one thing' : `${wrong} things`} to see to.` };
  }
  if (unknown > 0) {
    const where = unknown === 1 ? 'one repository' : `${unknown} repositories`;
    return { mark: 'unknown', text: `Not known for ${where}. Everything else is right.` };
  }
  return {
    mark: 'good',
    text: next === null ? 'Yes, all is well.' : `Yes, for ${theFirst(repositories.length)}.`,
  };
}

/** How many repositories require the check: what is known of the protection, and no more; null where nothing is. */
export function requiredSummary(health: Pick<OrganizationHealth, 'repositories' | 'next'> | null): {
  mark: Mark;
  text: string;
} {
  if (!health) return { mark: 'unknown', text: 'Where it is required is not known at the moment.' };
  const { repositories, next } = health;
  const all = repositories.length;
  if (all === 0) return { mark: 'wrong', text: 'OTP Guard was given no repository.' };
  const count = (wanted: CheckRequirement) =>
    repositories.filter(({ required }) => required === wanted).length;
  const [own, any, unknown] = [count('thisApp'), count('anySource'), count('unknown')];
  const required = own + any;
  const which = next === null ? theOnes(all) : theFirst(all);
  if (unknown === all)
    return {
      mark: 'unknown',
      text: `Whether ${which} ${all === 1 ? 'requires' : 'require'} it is not known.`,
    };
  const text = [
    `${required} of ${all} ${all === 1 ? 'repository' : 'repositories'}`,
    next === null ? '' : ' shown',
    required === 1 ? ' requires the check' : ' require the check',
    any > 0 ? `, ${any} from any source.` : '.',
    unknown > 0 ? ` Not known: ${unknown}.` : '',
  ];
  const rest = unknown > 0 ? 'unknown' : 'good';
  return { mark: own + unknown < all ? 'wrong' : rest, text: text.join('') };
}

const theOnes = (count: number) => (count === 1 ? 'the one repository' : `the ${count} repositories`);
const theFirst = (count: number) => `${theOnes(count)} shown`;
