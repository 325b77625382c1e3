import type { RepositoryCounts } from '../../../../../src/contract/organization-health.ts';
import styles from './repositories.module.css';

/** How many repositories we've checked so far; nothing once all are. */
export function CheckProgress({ counts: { total, unchecked } }: { counts: RepositoryCounts }) {
  if (unchecked === 0 || total === 0) return null;
  const checked = total - unchecked;
  const text = `${checked} of ${total} repositories checked so far.`;
  return (
    <div className={styles.progress}>
      <progress aria-label="Repositories checked" value={checked} max={total} />
      <p>{text} GitHub limits how many we can check in a minute.</p>
    </div>
  );
}
