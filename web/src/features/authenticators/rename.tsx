import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { ApiError } from '../../lib/api-client.ts';
import type { Authenticator } from '../../lib/authenticator-records.ts';
import { useClient } from '../../lib/use-client.ts';
import styles from './authenticators.module.css';

type Props = {
  authenticator: Authenticator;
  onRenamed: (label: string) => void;
  onError: (text: string | null) => void;
};

/** The label of a security key of one's own. */
export function Rename({ authenticator: { id, type, label }, onRenamed, onError }: Props) {
  const { api } = useClient();
  const [text, setText] = useState(label);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    onError(null);
    try {
      await api.post('/github-edit-authenticator', { type, id, label: text });
      onRenamed(text.trim());
    } catch (cause) {
      const detail = cause instanceof ApiError ? cause.message : String(cause);
      onError(`Unable to edit authenticator: ${detail}`);
    }
    setBusy(false);
  };

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <Field
        label="Label"
        value={text}
        onChange={(event) => setText(event.target.value)}
        required
        maxLength={100}
        autoComplete="off"
      />
      <Button type="submit" busy={busy}>
        {busy ? 'Saving' : 'Save label'}
      </Button>
    </form>
  );
}
