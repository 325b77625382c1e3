import styles from './icon.module.css';

type Props = {
  /** What to draw: an outline of an icon at 16 px, see `outlines.ts`. */
  outline: string;
  size?: 'small' | 'medium' | 'large';
};

/** A sign beside a text that says the same: people who listen do not hear it. */
export function Icon({ outline, size = 'medium' }: Props) {
  return (
    <svg className={styles[size]} viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      <path d={outline} />
    </svg>
  );
}
