import { useState } from 'react';
import { sentenceOf } from '../../lib/api-client.ts';
import { readConfirmation, requestCode } from '../../lib/email-confirmation.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useTabState } from '../../lib/use-tab-state.ts';

export type CompanyAddress = ReturnType<typeof useCompanyAddress>;

/**
 * The company address with which a person enrols: a code is sent there, and goes with the registration. Only then the
 * server checks the code.
 */
export function useCompanyAddress(orgID: string) {
  const { api, session } = useClient();
  const { id } = useUser();
  // A phone may reload the page while its owner reads the e-mail.
  const [sent, setSent] = useTabState(`enrolment-email:${id}:${orgID}`, readConfirmation);
  const [address, setAddress] = useState(sent?.email ?? '');
  const [code, setCode] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [info, setInfo] = useState('');

  const request = async () => {
    setPending(true);
    setError(null);
    setInfo('');
    try {
      const deps = { api, session: { userId: id, token: session.token() } };
      setSent(await requestCode(deps, address, orgID));
      if (sent) setInfo('We sent a new code.');
    } catch (cause) {
      setError(sentenceOf(cause));
    } finally {
      setPending(false);
    }
  };

  const enter = (digits: string) => {
    setError(null);
    setInfo('');
    setCode(digits);
  };

  /** Goes back to the code, or to the address, with the server's sentence. */
  const refuse = (step: 'code' | 'address', text: string | null) => {
    setCode(null);
    setInfo('');
    if (step === 'address') setSent(null);
    setError(text);
  };

  const emailCode = sent && code !== null ? { ...sent, code } : null;
  const isSent = sent !== null;
  return { emailCode, isSent, address, setAddress, pending, error, info, request, enter, refuse };
}
