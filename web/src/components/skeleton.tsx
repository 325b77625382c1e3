import styles from './skeleton.module.css';

type Props = {
  /** A guess at what will stand here; only its length is used. */
  like: string;
};

/** Keeps the place of a text that is on its way. People who listen hear `aria-busy` on the card instead. */
export function Skeleton({ like }: Props) {
  return (
    <span className={styles.skeleton} aria-hidden="true">
      {like}
    </span>
  );
}
