import { Skeleton } from '../../../components/skeleton.tsx';
import styles from './setup.module.css';

const LINES = [
  'Not yet: 3 things to see to.',
  'The App has the permissions that it needs.',
  'The last webhook arrived 3 minutes ago.',
  'The sweeper made its last round 3 minutes ago and repaired nothing here.',
];

/** The shape of what is on its way: the verdict, the three parts and a few repositories. */
export const SetupSkeleton = () => (
  <>
    {LINES.map((line) => (
      <p key={line}>
        <Skeleton like={line} />
      </p>
    ))}
    <ul>
      {['1', '2', '3', '4'].map((row) => (
        <li key={row} className={styles.row}>
          <p>
            <Skeleton like="a-repository" />
          </p>
          <p className={styles.quiet}>
            <Skeleton like="Required from OTP Guard on main." />
          </p>
        </li>
      ))}
    </ul>
  </>
);
