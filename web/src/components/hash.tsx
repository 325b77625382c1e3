import styles from './hash.module.css';

const SHORT = 8;

/** The first eight characters of a hash. Hovering shows all of it; a copy of the text and a print have all of it. */
export const Hash = ({ hash }: { hash: string }) => (
  <code title={hash}>
    {hash.slice(0, SHORT)}
    <span className={styles.rest} aria-hidden="true">
      {hash.slice(SHORT)}
    </span>
  </code>
);

/** The first eight characters of a commit's hash. */
export function Commit({ sha }: { sha: string }) {
  return <code>{sha.slice(0, 8)}</code>;
}
