import { type FormEvent, useState } from 'react';
import { Button } from '../../components/controls.tsx';
import { Field } from '../../components/field.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { sentenceOf } from '../../lib/api-client.ts';
import type { Authenticator } from '../../lib/authenticator.ts';
import { useClient } from '../../lib/use-client.ts';
import styles from './authenticators.module.css';

type Props = {
  authenticator: Authenticator;
  onRenamed: (label: string) => void;
  onError: (text: string | null) => void;
};

/** Changes the label of the person's own security key. */
export function RenameForm({ authenticator: { id, type, label }, onRenamed, onError }: Props) {
  const { api } = useClient();
  const [text, setText] = useState(label);
  const [status, setStatus] = useState<'awaiting' | 'pending' | 'complete'>('awaiting');
  const isBusy = status === 'pending';

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setStatus('pending');
    onError(null);
    try {
      await api.post('/github-edit-authenticator', { type, id, label: text });
      onRenamed(text.trim());
      setStatus('complete');
    } catch (cause) {
      const detail = sentenceOf(cause);
      onError(`Unable to edit authenticator: ${detail}`);
      setStatus('awaiting');
    }
  };

  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <Field
        label="Label"
        value={text}
        onChange={(event) => setText(event.target.value)}
        required
        maxLength={100}
        autoComplete="off"
      />
      <Button type="submit" busy={isBusy}>
        {isBusy ? 'Saving' : 'Save label'}
      </Button>
      {/* Always rendered, so that screen readers announce the text when it appears. */}
      <p role="status" className={styles.renamed}>
        {status === 'complete' && (
          <>
            <Icon path={checkIcon} />
            Successfully edited authenticator
          </>
        )}
      </p>
    </form>
  );
}
