import { checkIcon, Icon } from './icon.tsx';
import styles from './steps.module.css';

/** The steps of a wizard, with the current one marked. */
export function Steps({ steps, current }: { steps: string[]; current: string }) {
  const currentIndex = steps.indexOf(current);
  return (
    <ol className={styles.steps} aria-label="Steps">
      {steps.map((step, index) => (
        <li key={step} aria-current={index === currentIndex ? 'step' : undefined}>
          {index < currentIndex ? (
            <Icon path={checkIcon} />
          ) : (
            <span className={styles.number} aria-hidden="true">
              {index + 1}
            </span>
          )}
          {step}
          {index < currentIndex && <span className="visually-hidden"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}
