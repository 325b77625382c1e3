import { Skeleton } from '../../../components/skeleton.tsx';
import styles from './setup.module.css';

const PARTS = [
  'The App has the permissions it needs.',
  'Last webhook received 3 minutes ago.',
  'Last full check 3 minutes ago; nothing to fix.',
];

/** A placeholder as tall as the summary, the button, the three parts and a few repositories. */
export const SetupSkeleton = () => (
  <>
    <p>
      <Skeleton like="3 problems to fix." />
    </p>
    <p className={styles.link}>
      <Skeleton like="Check again" />
    </p>
    {PARTS.map((part) => (
      <p key={part}>
        <Skeleton like={part} />
      </p>
    ))}
    <p className={styles.link}>
      <Skeleton like="Require the check with a ruleset file" />
    </p>
    <ul>
      {['1', '2', '3', '4'].map((row) => (
        <li key={row} className={styles.row}>
          <p>
            <Skeleton like="a-repository" />
          </p>
          <p className={styles.quiet}>
            <Skeleton like="Required from OTP Guard on main" />
          </p>
        </li>
      ))}
    </ul>
  </>
);
