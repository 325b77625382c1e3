import styles from './icon.module.css';

/** The product's mark, the same drawing as `public/icon.svg`. It stands next to its name, so screen readers skip it. */
export const Logo = () => (
  <svg className={styles.logo} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" />
    <path d="M16 6l8 3v6.5c0 5-3.3 8.8-8 10.5-4.7-1.7-8-5.5-8-10.5V9zM12.2 15.8l2.8 2.8 5-5.4" />
  </svg>
);
