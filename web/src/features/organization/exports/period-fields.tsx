import { Field } from '../../../components/field.tsx';
import styles from './exports.module.css';
import type { Period } from './period.ts';

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
