import { type FormEvent, useState } from 'react';
import type { HookKind } from '../../../../../src/contract/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/field.tsx';
import { HOOK_TEXTS } from './hook-texts.ts';
import styles from './hooks.module.css';

type Props = {
  kind: HookKind;
  label: 'Set' | 'Replace';
  busy: boolean;
  onSave: (url: string) => Promise<void>;
};

/** Asks for the address. It's never shown again, so the field isn't filled in. */
export function HookForm({ kind, label, busy, onSave }: Props) {
  const [url, setUrl] = useState('');
  const { noun, example } = HOOK_TEXTS[kind];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) void onSave(url);
  };
  return (
    <form className={styles.step} onSubmit={submit}>
      <Field
        label="URL"
        type="url"
        dir="ltr"
        required
        maxLength={2000}
        placeholder={example}
        autoComplete="off"
        spellCheck={false}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        hint={`https, at a public address. It's stored encrypted, and only its host name is shown again.${label === 'Replace' ? ' What wasn’t delivered to the former one is not sent again.' : ''}`}
      />
      <Button look="secondary" type="submit" busy={busy}>
        {label} {noun}
      </Button>
    </form>
  );
}
