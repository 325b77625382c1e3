import type { ReactNode } from 'react';
import type {
  DayOfApprovals,
  OrganizationStatisticsAnswer,
} from '../../../../../src/contract/organization.ts';
import { loadFailure } from '../../../components/load-failure.tsx';
import { Skeleton } from '../../../components/text.tsx';
import { useAnswer } from '../../../lib/react/queries.ts';
import { Section } from '../section.tsx';
import styles from './chart.module.css';

/** Approvals per day, and how long pull requests waited for them; for owners. */
export function ApprovalsChart({ orgID }: { orgID: number }) {
  const { loaded, reload } = useAnswer('/organization-statistics', { orgID });
  return (
    <Section title="Approvals" busy={loaded.status === 'awaiting'}>
      {loadFailure(loaded, reload, "We couldn't count the approvals.")}
      {loaded.status === 'awaiting' && (
        <>
          <p className={styles.text}>
            <Skeleton like="120 approvals in the last 30 days. Half of the pull requests got their first one within 3 hours." />
          </p>
          <div className={styles.plots} />
        </>
      )}
      {loaded.status === 'ok' && <Approvals {...loaded.value} />}
    </Section>
  );
}

/** A chart of fewer days with approvals says nothing. */
const LEAST_DAYS = 7;

function Approvals(answer: OrganizationStatisticsAnswer) {
  if (answer.days.filter(({ approvals }) => approvals > 0).length < LEAST_DAYS)
    return <p>{approvalsText(answer)}</p>;
  return (
    <>
      <p className={styles.text}>{approvalsText(answer)}</p>
      <div className={styles.plots}>
        <Charts {...answer} />
      </div>
    </>
  );
}

function Charts({ days, medianSeconds }: OrganizationStatisticsAnswer) {
  return (
    <>
      <div aria-hidden="true">
        <Plot
          title="Approvals a day"
          most={`highest: ${Math.max(...days.map((day) => day.approvals))}`}
          days={days}
        >
          <Bars bars={barsOf(days, ({ approvals }) => approvals || null)} className={styles.count} />
        </Plot>
        {medianSeconds !== null && (
          <Plot
            title="Time until the first approval"
            most={`longest: ${durationText(Math.max(...days.map((day) => day.medianSeconds ?? 0)))}`}
            days={days}
          >
            <Bars bars={barsOf(days, (day) => day.medianSeconds)} className={styles.time} />
          </Plot>
        )}
      </div>
      <DayTable days={days} />
    </>
  );
}

const Bars = ({ bars, className }: { bars: Bar[]; className: string | undefined }) =>
  bars.map(({ day, ...bar }) => <rect key={day} className={className} {...bar} />);

type PlotProps = { title: string; most: string; days: DayOfApprovals[]; children: ReactNode };

/** A plot over the days. Its texts are outside the SVG, which is stretched. */
const Plot = ({ title, most, days, children }: PlotProps) => (
  <div className={styles.plot}>
    <p className="spread quiet">
      <span>{title}</span>
      <span>{most}</span>
    </p>
    <svg viewBox={`0 0 ${PLOT.width} ${PLOT.height}`} preserveAspectRatio="none" aria-hidden="true">
      {children}
    </svg>
    <p className="spread quiet">
      <span>{shortDay(days[0]?.day ?? '')}</span>
      <span>{shortDay(days.at(-1)?.day ?? '')} (UTC)</span>
    </p>
  </div>
);

/** Tells screen readers what the charts show. */
const DayTable = ({ days }: { days: DayOfApprovals[] }) => (
  <div className="visually-hidden">
    <table>
      <caption>Approvals by day</caption>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          <th scope="col">Approvals</th>
          <th scope="col">Median time until the first approval</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, approvals, medianSeconds }) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            <td>{approvals}</td>
            <td>{medianSeconds === null ? 'None' : durationText(medianSeconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** The plots are this wide and high; the page stretches them. */
const PLOT = { width: 300, height: 100 };

type Bar = { day: string; x: number; y: number; width: number; height: number };

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
    const box = { x: index * step + step * 0.15, y: PLOT.height - height, width: step * 0.7 };
    return [{ day: day.day, ...box, height }];
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
