import type {
  DayOfApprovals,
  OrganizationStatisticsAnswer,
} from '../../../../../src/contract/organization.ts';
import { loadFailure } from '../../../components/load-failure.tsx';
import { SkeletonLine } from '../../../components/text.tsx';
import { useAnswer } from '../../../lib/react/queries.ts';
import styles from './approval-times.module.css';

/** The number of approvals, and a strip with how long pull requests waited for the first one each day. */
export function ApprovalTimes({ orgID }: { orgID: number }) {
  const { loaded, reload } = useAnswer('/organization-statistics', { orgID });
  return (
    <div className={styles.times} aria-busy={loaded.status === 'awaiting' || undefined}>
      {loadFailure(loaded, reload, "We couldn't count the approvals.")}
      {loaded.status === 'awaiting' && (
        <SkeletonLine like="120 approvals in the last 30 days. Half of the pull requests got their first one within 3 hours." />
      )}
      {loaded.status === 'ok' && <Times {...loaded.value} />}
    </div>
  );
}

/** A strip of fewer days with approvals says nothing. */
const LEAST_DAYS = 7;

function Times(answer: OrganizationStatisticsAnswer) {
  const { days } = answer;
  const isDrawn = days.filter(({ medianSeconds }) => medianSeconds !== null).length >= LEAST_DAYS;
  return (
    <>
      <p>{approvalsText(answer)}</p>
      {isDrawn && <Strip days={days} />}
    </>
  );
}

/** The strip's texts are outside the SVG, which is stretched. Each bar says its day on hover. */
function Strip({ days }: { days: DayOfApprovals[] }) {
  const bars = barsOf(days);
  const texts = bars.map(({ text }) => text).join('. ');
  return (
    <div className={styles.strip}>
      <svg
        viewBox={`0 0 ${PLOT.width} ${PLOT.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Median time until the first approval by day. ${texts}`}
      >
        {bars.map(({ day, text, ...bar }) => (
          <rect key={day} {...bar}>
            <title>{text}</title>
          </rect>
        ))}
      </svg>
      <p className="spread quiet" aria-hidden="true">
        <span>{shortDay(days[0]?.day ?? '')}</span>
        <span>longest wait: {durationText(Math.max(...days.map((day) => day.medianSeconds ?? 0)))}</span>
        <span>{shortDay(days.at(-1)?.day ?? '')} (UTC)</span>
      </p>
    </div>
  );
}

/** The strip is this wide and high; the page stretches it. */
const PLOT = { width: 300, height: 100 };

type Bar = { day: string; text: string; x: number; y: number; width: number; height: number };

/** The lowest bar, so that less than a minute is still something to see. */
const LEAST = 3;

/** A bar for each day with a first approval, as high as the wait's share of the longest. */
export function barsOf(days: DayOfApprovals[]): Bar[] {
  const most = Math.max(...days.map((day) => day.medianSeconds ?? 0), 1);
  const step = PLOT.width / days.length;
  return days.flatMap(({ day, approvals, medianSeconds }, index) => {
    if (medianSeconds === null) return [];
    const height = Math.max((medianSeconds / most) * PLOT.height, LEAST);
    const box = { x: index * step + step * 0.15, y: PLOT.height - height, width: step * 0.7 };
    const text = `${shortDay(day)}: ${durationText(medianSeconds)}, ${approvals} approved`;
    return [{ day, text, ...box, height }];
  });
}

const UNITS: [unit: string, seconds: number][] = [
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
];

/** A duration in its largest unit, such as `3 hours`; half a unit counts, as in `1.5 days`. */
function durationText(seconds: number): string {
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
const shortDay = (day: string) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day));
