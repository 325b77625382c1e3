import { Icon } from './icon.tsx';
import { done } from './outlines.ts';
import styles from './timeline.module.css';

type Props = { steps: string[]; current: string };

/** Where the person is on a way of a few steps. */
export function Timeline({ steps, current }: Props) {
  const at = steps.indexOf(current);
  return (
    <ol className={styles.timeline} aria-label="Steps">
      {steps.map((step, place) => (
        <li key={step} aria-current={place === at ? 'step' : undefined}>
          {place < at ? (
            <Icon outline={done} />
          ) : (
            <span className={styles.number} aria-hidden="true">
              {place + 1}
            </span>
          )}
          {step}
          {place < at && <span className="visually-hidden"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}
