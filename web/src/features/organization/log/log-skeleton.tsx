import { Skeleton } from '../../../components/skeleton.tsx';
import styles from './log.module.css';

/** The shape of so many entries while they are on their way. */
export const EntriesSkeleton = ({ count }: { count: number }) => (
  <ol className={styles.entries}>
    {Array.from({ length: count }, (_, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
      <li key={place} className={styles.entry}>
        <span className={styles.clock}>
          <Skeleton like="00:00" />
        </span>
        <span className={styles.person}>
          <Skeleton like="a-member" />
        </span>
        <span className={styles.what}>
          <span>
            <Skeleton like="approved hello #7 at 6dcb09b5" />
          </span>
        </span>
        <span className={styles.ago}>
          <Skeleton like="1 hour ago" />
        </span>
      </li>
    ))}
  </ol>
);
