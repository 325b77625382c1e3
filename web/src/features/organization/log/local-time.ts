import { toIso } from '../../../lib/times.ts';

/** The reader's locale and time zone; the browser's own by default. */
type Reader = { locale?: string; timeZone?: string };

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formatters are kept: making them for each row takes longer than all the rest of a row. */
function format(at: string, style: Intl.DateTimeFormatOptions, { locale, timeZone }: Reader): string {
  const key = JSON.stringify([style, locale, timeZone]);
  const known = formatters.get(key);
  const formatter = known ?? new Intl.DateTimeFormat(locale, { ...style, ...(timeZone && { timeZone }) });
  if (!known) formatters.set(key, formatter);
  return formatter.format(new Date(toIso(at)));
}

/** The time of day, such as `14:05`. */
export const clockTime = (at: string, reader: Reader = {}) => format(at, { timeStyle: 'short' }, reader);

/** The day in full, such as `Monday, May 4, 2026`. */
export const fullDay = (at: string, reader: Reader = {}) => format(at, { dateStyle: 'full' }, reader);

type Day<Item> = { heading: string; items: Item[] };

/** Groups items by the reader's local day and keeps their order. */
export function groupByDay<Item extends { at: string }>(items: Item[], reader: Reader = {}): Day<Item>[] {
  const days: Day<Item>[] = [];
  for (const item of items) {
    const heading = fullDay(item.at, reader);
    const last = days.at(-1);
    if (last?.heading === heading) last.items.push(item);
    else days.push({ heading, items: [item] });
  }
  return days;
}
