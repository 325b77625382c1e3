import type { DayOfApprovals } from '../../../../../src/contract/organization.ts';

/** The plots are this wide and high; the page stretches them. */
export const PLOT = { width: 300, height: 100 };

export type Bar = { day: string; x: number; y: number; width: number; height: number };

/** A bar for each day with approvals, as high as its share of the busiest day. */
export function barsOf(days: DayOfApprovals[]): Bar[] {
  const most = Math.max(...days.map(({ approvals }) => approvals), 1);
  const step = PLOT.width / days.length;
  return days.flatMap(({ day, approvals }, index) => {
    const height = (approvals / most) * PLOT.height;
    if (approvals === 0) return [];
    return [{ day, x: index * step + step * 0.15, y: PLOT.height - height, width: step * 0.7, height }];
  });
}

/** The path of a line through the days' median times. It's broken on days without one; a lone day is a dot. */
export function lineOf(days: DayOfApprovals[]): string {
  const most = Math.max(...days.map(({ medianSeconds }) => medianSeconds ?? 0), 1);
  const step = PLOT.width / days.length;
  let command = 'M';
  return days
    .map(({ medianSeconds }, index) => {
      if (medianSeconds === null) {
        command = 'M';
        return '';
      }
      const x = round((index + 0.5) * step);
      const y = round(PLOT.height - (medianSeconds / most) * PLOT.height);
      const isLone = command === 'M' && (days[index + 1]?.medianSeconds ?? null) === null;
      const point = `${command}${x} ${y}${isLone ? 'h0' : ''}`;
      command = 'L';
      return point;
    })
    .join('');
}

const round = (number: number) => Math.round(number * 100) / 100;
