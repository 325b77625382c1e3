import { type ReactNode, useCallback } from 'react';
import type {
  DayOfApprovals,
  OrganizationStatisticsAnswer,
} from '../../../../../src/contract/organization.ts';
import { loadFailure } from '../../../components/load-failure.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { useLoaded } from '../../../lib/use-loaded.ts';
import { Section } from '../section.tsx';
import styles from './chart.module.css';
import { type Bar, barsOf, PLOT } from './chart-shapes.ts';
import { approvalsText, durationText, shortDay } from './chart-texts.ts';

/** Approvals per day, and how long pull requests waited for them; for owners. */
export function ApprovalsChart({ orgID }: { orgID: number }) {
  const { api } = useClient();
  const { loaded, reload } = useLoaded(
    useCallback(
      () => api.post<OrganizationStatisticsAnswer>('/organization-statistics', { orgID }),
      [api, orgID],
    ),
  );
  return (
    <Section title="Approvals" busy={loaded.status === 'awaiting'}>
      {loadFailure(loaded, reload, "We couldn't count the approvals.")}
      {loaded.status === 'awaiting' && (
        <p className={styles.text}>
          <Skeleton like="120 approvals in the last 30 days. Half of the pull requests got their first one within 3 hours." />
        </p>
      )}
      {loaded.status === 'ok' && <Approvals {...loaded.value} />}
      {loaded.status !== 'ok' && <div className={styles.place} />}
    </Section>
  );
}

/** A line if there are none: nothing to draw. */
function Approvals(answer: OrganizationStatisticsAnswer) {
  if (answer.approvals === 0) return <p>{approvalsText(answer)}</p>;
  return (
    <>
      <p className={styles.text}>{approvalsText(answer)}</p>
      <div className={styles.place}>
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
          <Bars bars={barsOf(days, ({ approvals }) => approvals || null)} look={styles.count} />
        </Plot>
        {medianSeconds !== null && (
          <Plot
            title="Time until the first approval"
            most={`longest: ${durationText(Math.max(...days.map((day) => day.medianSeconds ?? 0)))}`}
            days={days}
          >
            <Bars bars={barsOf(days, (day) => day.medianSeconds)} look={styles.time} />
          </Plot>
        )}
      </div>
      <DayTable days={days} />
    </>
  );
}

const Bars = ({ bars, look }: { bars: Bar[]; look: string | undefined }) =>
  bars.map(({ day, ...bar }) => <rect key={day} className={look} {...bar} />);

type PlotProps = { title: string; most: string; days: DayOfApprovals[]; children: ReactNode };

/** A plot over the days. Its texts are outside the SVG, which is stretched. */
const Plot = ({ title, most, days, children }: PlotProps) => (
  <div className={styles.plot}>
    <p className={styles.axis}>
      <span>{title}</span>
      <span>{most}</span>
    </p>
    <svg viewBox={`0 0 ${PLOT.width} ${PLOT.height}`} preserveAspectRatio="none" aria-hidden="true">
      {children}
    </svg>
    <p className={styles.axis}>
      <span>{shortDay(days[0]?.day ?? '')}</span>
      <span>{shortDay(days.at(-1)?.day ?? '')}</span>
    </p>
  </div>
);

/** The same for screen readers. */
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
