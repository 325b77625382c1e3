import { Skeleton } from '../../../components/skeleton.tsx';
import styles from './setup.module.css';

const PARTS = [
  'The App has the permissions that it needs.',
  'The last webhook arrived 3 minutes ago.',
  'The sweeper made its last round 3 minutes ago and repaired nothing here.',
];

/** The shape of what is on its way: the verdict, the button, the three parts and a few repositories. */
export const SetupSkeleton = () => (
  <>
    <p>
      <Skeleton like="Not yet: 3 things to see to." />
    </p>
    <p className={styles.link}>
      <Skeleton like="Check again" />
    </p>
    {PARTS.map((part) => (
      <p key={part}>
        <Skeleton like={part} />
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
