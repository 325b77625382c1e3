import { toIso } from '../../../lib/times.ts';
import type { Entry } from './entry.ts';

/** Where and how the person reads the time; what is left out is as the browser has it. */
export type Reader = { locale?: string; timeZone?: string };

type Style = Intl.DateTimeFormatOptions;
const written = (at: string, style: Style, { locale, timeZone }: Reader) =>
  new Intl.DateTimeFormat(locale, { ...style, ...(timeZone && { timeZone }) }).format(new Date(toIso(at)));

/** The time of day, such as `14:05`. */
export const clockTime = (at: string, reader: Reader = {}) => written(at, { timeStyle: 'short' }, reader);

/** The day in full, such as `Monday, May 4, 2026`. */
export const dayHeading = (at: string, reader: Reader = {}) => written(at, { dateStyle: 'full' }, reader);

/** The exact time, with its zone. */
export const exactLocalTime = (at: string, reader: Reader = {}) =>
  written(at, { dateStyle: 'medium', timeStyle: 'long' }, reader);

export type Day = { heading: string; entries: Entry[] };

/** The entries under the day that each was on where the person is; the order stays. */
export function groupByDay(entries: Entry[], reader: Reader = {}): Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const heading = dayHeading(entry.at, reader);
    const last = days.at(-1);
    if (last?.heading === heading) last.entries.push(entry);
    else days.push({ heading, entries: [entry] });
  }
  return days;
}
