import { Skeleton } from '../../../components/skeleton.tsx';
import styles from './setup.module.css';

const PARTS = [
  '487 of 500 repositories require the check.',
  'The App has the permissions it needs.',
  'Last webhook received 3 minutes ago.',
  'Last full check 3 minutes ago; nothing to fix.',
];

/** A placeholder as tall as the button and the parts. */
export const SetupSkeleton = () => (
  <>
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
  </>
);
