import styles from './comparison.module.css';

type Props = {
  /** Six digits, such as `482 109`. */
  code: string;
  children: string;
};

/** The code that two screens show, large enough to read out, under a line that says whose it is. */
export const Comparison = ({ code, children }: Props) => (
  <dl className={styles.comparison}>
    <dt>{children}</dt>
    <dd>{code}</dd>
  </dl>
);
