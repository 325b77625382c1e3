import type { OrganizationStatisticsAnswer } from '../../../../../src/contract/organization.ts';

const UNITS: [unit: string, seconds: number][] = [
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
];

/** A duration in its largest unit, such as `3 hours`; half a unit counts, as in `1.5 days`. */
export function durationText(seconds: number): string {
  const found = UNITS.find(([, length]) => seconds >= length);
  if (!found) return 'less than a minute';
  const [unit, length] = found;
  const number = Math.round((seconds / length) * 2) / 2;
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(number);
}

/** The approvals of the last days in a sentence or two. */
export function approvalsText({ days, approvals, medianSeconds }: OrganizationStatisticsAnswer): string {
  if (approvals === 0) return `No approvals in the last ${days.length} days.`;
  const counted = new Intl.NumberFormat('en').format(approvals);
  const first = `${counted} ${approvals === 1 ? 'approval' : 'approvals'} in the last ${days.length} days.`;
  if (medianSeconds === null) return first;
  const time = medianSeconds < 60 ? 'a minute' : durationText(medianSeconds);
  return `${first} Half of the pull requests got their first one within ${time}.`;
}

/** A day such as `21 Nov`, the same for everyone. */
export const shortDay = (day: string) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day));
