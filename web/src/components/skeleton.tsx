import styles from './skeleton.module.css';

type Props = {
  /** Text about as long as what is loading; only its length is used. */
  like: string;
};

/** Reserves the space of a text that is loading. Screen readers get `aria-busy` on the card instead. */
export const Skeleton = ({ like }: Props) => (
  <span className={styles.skeleton} aria-hidden="true">
    {like}
  </span>
);

/** Reserves the space of a paragraph that is loading. */
export const SkeletonLine = ({ like, className }: Props & { className?: string | undefined }) => (
  <p className={className}>
    <Skeleton like={like} />
  </p>
);
