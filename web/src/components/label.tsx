import styles from './label.module.css';

/**
 * A name that a person gave. Whatever is in it stays in it: markup is text, a direction ends where it ends, and a long
 * one breaks anywhere and is cut after a few lines.
 */
export const Label = ({ text }: { text: string }) => <bdi className={styles.label}>{text}</bdi>;
