import styles from './label.module.css';

type Props = {
  text: string;
  /** Inside a sentence: it flows with the words around it, and is not cut. */
  inline?: boolean;
};

/**
 * A name that a person gave. Whatever is in it stays in it: markup is text, a direction ends where it ends, and a long
 * one breaks anywhere and is cut after a few lines.
 */
export const Label = ({ text, inline = false }: Props) => (
  <bdi className={inline ? styles.inline : styles.label}>{text}</bdi>
);
