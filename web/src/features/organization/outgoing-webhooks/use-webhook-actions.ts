import { useState } from 'react';
import type {
  OutgoingWebhookAnswer,
  OutgoingWebhookKind,
} from '../../../../../src/contract/outgoing-webhooks.ts';
import { useAction } from '../../../lib/react/use-action.ts';
import { useClient } from '../../../lib/react/use-client.ts';
import type { Organization } from '../../../lib/session/user.ts';

type Target = {
  kind: OutgoingWebhookKind;
  organization: Pick<Organization, 'orgId' | 'name'>;
  onChange: (webhook: OutgoingWebhookAnswer | null) => void;
};

export type WebhookActions = ReturnType<typeof useWebhookActions>;

/** An owner's actions on a webhook, one at a time. The secret stays in memory until it was copied. */
export function useWebhookActions({ kind, organization: { orgId, name }, onChange }: Target) {
  const { api, session } = useClient();
  const [busy, setBusy] = useState<'set' | 'test' | 'remove' | null>(null);
  const { error, run: act } = useAction();
  const [secret, setSecret] = useState<string | null>(null);

  /** Returns whether it succeeded. */
  const run = async (action: NonNullable<typeof busy>, work: () => Promise<void>): Promise<boolean> => {
    if (busy) return false;
    setBusy(action);
    const isDone = await act(work);
    setBusy(null);
    return isDone;
  };
  const body = () => ({ org: name, orgID: orgId, kind, accessToken: session.accessToken() });
  /** A test changes when the next try is due, too. */
  const reread = async () => {
    const { hooks } = await api.post('/organization-hooks', { orgID: orgId });
    onChange(hooks.find((webhook) => webhook.kind === kind) ?? null);
  };

  return {
    busy,
    error,
    secret,
    forgetSecret: () => setSecret(null),
    set: (url: string) =>
      run('set', async () => {
        const answer = await api.post('/set-hook', { ...body(), url });
        setSecret(answer.secret);
        onChange(answer.hook);
      }),
    test: () =>
      void run('test', async () => {
        await api.post('/test-hook', body());
        await reread();
      }),
    remove: () =>
      run('remove', async () => {
        await api.post('/remove-hook', body());
        setSecret(null);
        onChange(null);
      }),
  };
}
