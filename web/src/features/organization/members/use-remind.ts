import { useState } from 'react';
import type { MemberReminderAnswer } from '../../../../../src/contract/organization.ts';
import { sentenceOf } from '../../../lib/api-client.ts';
import { useClient } from '../../../lib/use-client.ts';
import type { Organization } from '../../../lib/user.ts';

/** Asks the server to remind everyone without an authenticator, or one member (by GitHub's id). */
export function useRemind(
  { orgId: orgID, name: org }: Pick<Organization, 'orgId' | 'name'>,
  memberID?: number,
) {
  const { api, session } = useClient();
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<MemberReminderAnswer | null>(null);
  const [error, setError] = useState<string | null>(null);

  const remind = async () => {
    setBusy(true);
    setError(null);
    setAnswer(null);
    try {
      const body = { org, orgID, memberID, accessToken: session.accessToken() };
      setAnswer(await api.post<MemberReminderAnswer>('/remind-members', body));
    } catch (cause) {
      setError(sentenceOf(cause));
    }
    setBusy(false);
  };
  return { busy, answer, error, remind };
}
