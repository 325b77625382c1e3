import { Field } from '../../../components/field.tsx';
import styles from './period.module.css';

type Props = { period: Period; onChange: (period: Period) => void };

/** The first and the last day of a period. */
export const PeriodFields = ({ period, onChange }: Props) => (
  <div className={styles.period}>
    <Field
      label="From"
      type="date"
      value={period.from}
      onChange={({ target }) => onChange({ ...period, from: target.value })}
    />
    <Field
      label="To"
      type="date"
      value={period.to}
      onChange={({ target }) => onChange({ ...period, to: target.value })}
    />
  </div>
);

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days of the reader's time zone, `2026-11-21`; empty for no limit. */
type Period = { from: string; to: string };

const twoDigits = (value: number) => String(value).padStart(2, '0');

const dayOf = (time: Date) =>
  `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`;

/** Today, and the days before. @param now Milliseconds since 1970. */
export const lastDays = (days: number, now: number): Period => ({
  from: dayOf(new Date(now - days * DAY_MS)),
  to: dayOf(new Date(now)),
});

/** The period as the server takes it, from the first day's beginning to the last day's end, or what is wrong with it. */
export function readPeriod({ from, to }: Period): { from?: string; to?: string } | { problem: string } {
  const begins = from && new Date(`${from}T00:00:00`);
  const ends = to && new Date(`${to}T23:59:59.999`);
  if ((begins && Number.isNaN(begins.getTime())) || (ends && Number.isNaN(ends.getTime())))
    return { problem: 'Enter the days as dates.' };
  if (begins && ends && begins > ends) return { problem: 'The first day is after the last one.' };
  return { ...(begins && { from: begins.toISOString() }), ...(ends && { to: ends.toISOString() }) };
}

/** Names a period in a file's name: `2026-10-22-to-2026-11-21`. */
export const periodName = ({ from, to }: Period) => `${from || 'beginning'}-to-${to || 'now'}`;
