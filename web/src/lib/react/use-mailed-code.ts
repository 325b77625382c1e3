import { useState } from 'react';
import type { EmailPrecheckAnswer } from '../../../../src/contract/email.ts';
import { useAction } from './use-action.ts';
import { useClient } from './use-client.ts';
import { useTabState } from './use-tab-state.ts';

/** An address to which a code was sent, with the server's signed state of its confirmation. */
export type Confirmation = { email: string } & EmailPrecheckAnswer;

export type MailedCode = ReturnType<typeof useMailedCode>;

/**
 * Sends a code to an address that the person enters: for notices, or, with an organization's GitHub id, to enrol there.
 *
 * @param key Where the tab keeps the address, because a phone may reload the page while its owner reads the e-mail.
 */
export function useMailedCode(key: string, orgID?: string) {
  const { api } = useClient();
  const [sent, setSent] = useTabState<Confirmation>(key);
  // Kept while the code is entered, so that a person who goes back can correct it.
  const [address, setAddress] = useState(sent?.email ?? '');
  const { pending, error, setError, run: runAction } = useAction();
  const [info, setInfo] = useState('');

  const run: typeof runAction = (work, explain) => {
    setInfo('');
    return runAction(work, explain);
  };
  /** Resolves to whether a code was sent. */
  const request = () =>
    run(async () => {
      const email = address.trim();
      if (!email) throw new Error('E-mail address required');
      const { ts, sig } = await api.post('/github-precheck-email', { email, orgID });
      setSent({ email, ts, sig });
      if (sent) setInfo('We sent a new code.');
    });
  /** Goes back to the code with this sentence, or to the address if there's another one to enter. */
  const goBack = (step: 'code' | 'address', text: string | null = null) => {
    if (step === 'address') setSent(null);
    setInfo('');
    setError(text);
  };
  return { sent, setSent, address, setAddress, pending, error, info, setInfo, run, request, goBack };
}
