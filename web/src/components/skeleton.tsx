import styles from './skeleton.module.css';

type Props = {
  /** Text about as long as what is loading; only its length is used. */
  like: string;
};

/** Reserves the space of a text that is loading. Screen readers get `aria-busy` on the card instead. */
export function Skeleton({ like }: Props) {
  return (
    <span className={styles.skeleton} aria-hidden="true">
      {like}
    </span>
  );
}
