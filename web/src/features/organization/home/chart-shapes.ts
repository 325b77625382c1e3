import type { DayOfApprovals } from '../../../../../src/contract/organization.ts';

/** The plots are this wide and high; the page stretches them. */
export const PLOT = { width: 300, height: 100 };

export type Bar = { day: string; x: number; y: number; width: number; height: number };

/** The lowest bar, so that less than a minute is still something to see. */
const LEAST = 3;

/** A bar for each day with a value, as high as its share of the highest. */
export function barsOf(days: DayOfApprovals[], countOf: (day: DayOfApprovals) => number | null): Bar[] {
  const most = Math.max(...days.map((day) => countOf(day) ?? 0), 1);
  const step = PLOT.width / days.length;
  return days.flatMap((day, index) => {
    const value = countOf(day);
    if (value === null) return [];
    const height = Math.max((value / most) * PLOT.height, LEAST);
    const place = { x: index * step + step * 0.15, y: PLOT.height - height, width: step * 0.7 };
    return [{ day: day.day, ...place, height }];
  });
}
