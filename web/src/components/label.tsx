import styles from './label.module.css';

type Props = {
  text: string;
  /** Inside a sentence: the name flows with the words around it and isn't cut. */
  inline?: boolean;
};

/**
 * A name that a person chose, shown as plain text. Its writing direction doesn't leak into the text around it, and a
 * long name breaks anywhere and is cut after four lines.
 */
export const Label = ({ text, inline = false }: Props) => (
  <bdi className={inline ? styles.inline : styles.label}>{text}</bdi>
);
