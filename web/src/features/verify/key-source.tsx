import { Label } from '../../components/label.tsx';
import styles from './verify.module.css';

/** Whose keys the files are checked with, and what that means. */
export const KeySource = ({ source }: { source: string }) => (
  <p className={styles.keys}>
    Checked with <Label text={source} inline />. A server could publish a false list: if you don't trust this
    one, add a list that you kept, or use the program <code>otp-guard verify</code> on your own computer.
  </p>
);
