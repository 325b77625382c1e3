import { type FormEvent, useState } from 'react';
import { Button } from '../../components/controls.tsx';
import { Field } from '../../components/field.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { sentenceOf } from '../../lib/api/api-client.ts';
import { useAction } from '../../lib/react/use-action.ts';
import { useClient } from '../../lib/react/use-client.ts';
import type { Authenticator } from '../../lib/signing/authenticator.ts';

type Props = {
  authenticator: Authenticator;
  onRenamed: (label: string) => void;
  onError: (text: string | null) => void;
};

/** Changes the label of the person's own security key. */
export function RenameForm({ authenticator: { id, type, label }, onRenamed, onError }: Props) {
  const { api } = useClient();
  const [text, setText] = useState(label);
  const [isDone, setIsDone] = useState(false);
  const { pending: isBusy, run } = useAction();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setIsDone(false);
    onError(null);
    const edit = async () => {
      await api.post('/github-edit-authenticator', { type, id, label: text });
      onRenamed(text.trim());
    };
    const explain = (cause: unknown) => {
      onError(`Unable to edit authenticator: ${sentenceOf(cause)}`);
      return null;
    };
    setIsDone(await run(edit, explain));
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
