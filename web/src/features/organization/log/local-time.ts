import { toIso } from '../../../lib/times.ts';

const fullDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

type Day<Item> = { heading: string; items: Item[] };

/** Groups items by the reader's local day, such as `Monday, May 4, 2026`, and keeps their order. */
export function groupByDay<Item extends { at: string }>(items: Item[], format = fullDay): Day<Item>[] {
  const days: Day<Item>[] = [];
  for (const item of items) {
    const heading = format.format(new Date(toIso(item.at)));
    const last = days.at(-1);
    if (last?.heading === heading) last.items.push(item);
    else days.push({ heading, items: [item] });
  }
  return days;
}
