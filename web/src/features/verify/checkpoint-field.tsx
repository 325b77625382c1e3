import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../components/button.tsx';
import fieldStyles from '../../components/field.module.css';
import styles from './verify.module.css';

const MOST_CHARACTERS = 1_000_000;

/** Takes checkpoints that somebody else kept. They are what shows that the server didn't rewrite its log. */
export function CheckpointField({ onUse }: { onUse: (text: string) => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onUse(text);
  };
  return (
    <details className={styles.compare}>
      <summary>Compare with checkpoints from GitHub or e-mails</summary>
      <form className={styles.form} onSubmit={submit}>
        <div className={fieldStyles.field}>
          <label htmlFor={id}>Checkpoints</label>
          <textarea
            id={id}
            className={fieldStyles.code}
            rows={6}
            maxLength={MOST_CHARACTERS}
            spellCheck={false}
            aria-describedby={`${id}-hint`}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <p id={`${id}-hint`} className={fieldStyles.hint}>
            Paste the summary of a check run or an owner's e-mail, or several. The text around a checkpoint is
            ignored.
          </p>
        </div>
        <Button type="submit" look="secondary">
          Use these checkpoints
        </Button>
      </form>
    </details>
  );
}
