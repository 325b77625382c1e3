import { type FormEvent, useId, useState } from 'react';
import type {
  OutgoingWebhookAnswer,
  OutgoingWebhookKind,
} from '../../../../../src/contract/outgoing-webhooks.ts';
import { ActionError } from '../../../components/action-error.tsx';
import { Button, SecondaryButton } from '../../../components/controls.tsx';
import { Field } from '../../../components/field.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useCopy } from '../../../lib/react/use-copy.ts';
import { useStepFocus } from '../../../lib/react/use-step-focus.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { useWebhookActions, type WebhookActions } from './use-webhook-actions.ts';
import { WEBHOOK_TEXTS, WebhookStatus } from './webhook-status.tsx';
import styles from './webhooks.module.css';

type Props = {
  kind: OutgoingWebhookKind;
  organization: Organization;
  /** Null if there is none. */
  webhook: OutgoingWebhookAnswer | null;
  onChange: (webhook: OutgoingWebhookAnswer | null) => void;
};

type Mode = 'view' | 'replace' | 'remove';

/** One kind of webhook: its address to enter, or where it leads, the outcome of the last delivery, and an owner's actions. */
export function WebhookCard({ kind, organization, webhook, onChange }: Props) {
  const heading = useId();
  const [mode, setMode] = useState<Mode>('view');
  const actions = useWebhookActions({ kind, organization, onChange });
  const step = useStepFocus<HTMLDivElement>(
    `${mode} ${webhook ? 'set' : 'none'} ${actions.secret ? 'secret' : ''}`,
  );
  const { title, about } = WEBHOOK_TEXTS[kind];
  const { error, busy, set, remove } = actions;
  const save = async (url: string) => {
    if (await set(url)) setMode('view');
  };
  return (
    <section className={`stack gap-3 ${styles.webhook}`} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      <p className="quiet">{about}</p>
      <div ref={step} className="stack gap-3" tabIndex={-1} aria-busy={busy !== null || undefined}>
        {actions.secret && <WebhookSecret secret={actions.secret} onClose={actions.forgetSecret} />}
        {webhook && <WebhookStatus webhook={webhook} />}
        <ActionError text={error} />
        {!webhook && <WebhookForm kind={kind} label="Set" busy={busy === 'set'} onSave={save} />}
        {webhook && mode === 'view' && <ViewButtons webhook={webhook} actions={actions} onMode={setMode} />}
        {webhook && mode === 'replace' && (
          <>
            <WebhookForm kind={kind} label="Replace" busy={busy === 'set'} onSave={save} />
            <SecondaryButton onClick={() => setMode('view')}>Cancel</SecondaryButton>
          </>
        )}
        {webhook && mode === 'remove' && (
          <RemoveButtons
            webhook={webhook}
            busy={busy === 'remove'}
            onRemove={() => void remove().then((isRemoved) => isRemoved && setMode('view'))}
            onCancel={() => setMode('view')}
          />
        )}
      </div>
    </section>
  );
}

type ViewProps = { webhook: OutgoingWebhookAnswer; actions: WebhookActions; onMode: (mode: Mode) => void };

const ViewButtons = ({ webhook, actions, onMode }: ViewProps) => {
  const name = WEBHOOK_TEXTS[webhook.kind].noun;
  const enter = (mode: Mode) => {
    actions.forgetSecret();
    onMode(mode);
  };
  return (
    <>
      <div className="buttons">
        <SecondaryButton
          aria-label={`Test the ${name}`}
          busy={actions.busy === 'test'}
          onClick={actions.test}
        >
          {actions.busy === 'test' ? 'Testing…' : 'Test'}
        </SecondaryButton>
        <SecondaryButton aria-label={`Replace the ${name}`} onClick={() => enter('replace')}>
          Replace
        </SecondaryButton>
        <Button variant="danger" aria-label={`Remove the ${name}`} onClick={() => enter('remove')}>
          Remove
        </Button>
      </div>
      <p role="status" className="quiet">
        {actions.busy === 'test' && 'This takes up to ten seconds.'}
      </p>
    </>
  );
};

type RemoveProps = {
  webhook: OutgoingWebhookAnswer;
  busy: boolean;
  onRemove: () => void;
  onCancel: () => void;
};

const RemoveButtons = ({ webhook, busy, onRemove, onCancel }: RemoveProps) => (
  <>
    <p>
      Nothing more is sent to <bdi>{webhook.host}</bdi>. Owners with a confirmed address get an e-mail, and
      the log gets an entry.
    </p>
    <div className="buttons">
      <Button variant="danger" busy={busy} onClick={onRemove}>
        Remove the {WEBHOOK_TEXTS[webhook.kind].noun}
      </Button>
      <SecondaryButton onClick={onCancel}>Cancel</SecondaryButton>
    </div>
  </>
);

/** The secret that signs the deliveries, this once. */
function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { message, copy } = useCopy(secret);
  return (
    <Notice variant="warning">
      <p>
        <strong>Copy the secret now.</strong> It signs each delivery, and is never shown again.
      </p>
      <code className="copyable">{secret}</code>
      <div className="buttons">
        <SecondaryButton onClick={copy}>Copy secret</SecondaryButton>
        <SecondaryButton onClick={onClose}>Done</SecondaryButton>
      </div>
      <p role="status">{message}</p>
    </Notice>
  );
}

type HookFormProps = {
  kind: OutgoingWebhookKind;
  label: 'Set' | 'Replace';
  busy: boolean;
  onSave: (url: string) => Promise<void>;
};

/** Asks for the address. It's never shown again, so the field isn't filled in. */
function WebhookForm({ kind, label, busy, onSave }: HookFormProps) {
  const [url, setUrl] = useState('');
  const { noun, example } = WEBHOOK_TEXTS[kind];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) void onSave(url);
  };
  return (
    <form className="stack gap-3" onSubmit={submit}>
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
      <SecondaryButton type="submit" busy={busy}>
        {label} {noun}
      </SecondaryButton>
    </form>
  );
}
