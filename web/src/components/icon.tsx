import styles from './icon.module.css';

type Props = {
  /** An SVG path drawn at 16 px: see `icons.ts`. */
  path: string;
  size?: 'small' | 'medium' | 'large';
};

/** Decorates a text that says the same, so screen readers skip it. */
export function Icon({ path, size = 'medium' }: Props) {
  return (
    <svg className={styles[size]} viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
