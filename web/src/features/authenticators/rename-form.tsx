import { type FormEvent, useState } from 'react';
import { ActionError } from '../../components/action-error.tsx';
import { Button } from '../../components/controls.tsx';
import { Field } from '../../components/field.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { sentenceOf } from '../../lib/api/api-client.ts';
import { useAction } from '../../lib/react/use-action.ts';
import { useClient } from '../../lib/react/use-client.ts';
import type { Authenticator } from '../../lib/signing/authenticator.ts';

type Props = { authenticator: Authenticator; onRenamed: (label: string) => void };

/** Changes the label of the person's own security key. */
export function RenameForm({ authenticator: { id, type, label }, onRenamed }: Props) {
  const { api } = useClient();
  const [text, setText] = useState(label);
  const [isDone, setIsDone] = useState(false);
  const { pending: isBusy, error, run } = useAction();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setIsDone(false);
    const edit = async () => {
      await api.post('/github-edit-authenticator', { type, id, label: text });
      onRenamed(text.trim());
    };
    setIsDone(await run(edit, (cause) => `Unable to edit authenticator: ${sentenceOf(cause)}`));
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
      <ActionError text={error} />
      <Button type="submit" busy={isBusy}>
        {isBusy ? 'Saving' : 'Save label'}
      </Button>
      {/* Always rendered, so that screen readers announce the text when it appears. */}
      <p role="status" className="row success">
        {isDone && (
          <>
            <Icon path={checkIcon} />
            Successfully edited authenticator
          </>
        )}
      </p>
    </form>
  );
}
