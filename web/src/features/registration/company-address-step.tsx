import { useState } from 'react';
import { SecondaryButton } from '../../components/controls.tsx';
import { EmailForm } from '../../components/email-form.tsx';
import { MailedCode } from '../../components/mailed-code.tsx';
import { Label } from '../../components/text.tsx';
import { readConfirmation, requestCode } from '../../lib/email-confirmation.ts';
import { useAction } from '../../lib/use-action.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useTabState } from '../../lib/use-tab-state.ts';

type Props = { companyAddress: CompanyAddress; org: string; domains: string[] };

/** Asks for an address at one of the organization's domains, then for the code that was sent there. */
export const CompanyAddressStep = (props: Props) =>
  props.companyAddress.isSent ? <CodeStep {...props} /> : <AddressStep {...props} />;

/** The domains as the ends of addresses: `@example.org or @example.com`. */
export const domainsText = (domains: string[]) =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(domains.map((domain) => `@${domain}`));

function AddressStep({ companyAddress, org, domains }: Props) {
  const { address, setAddress, pending, request } = companyAddress;
  return (
    <>
      <p>
        To register in <strong>{org}</strong>, confirm your company address: one that ends in{' '}
        <Label text={domainsText(domains)} strong />. Its owners see the address next to your GitHub username.
      </p>
      <EmailForm
        label="Company address"
        pending={pending}
        address={address}
        onChange={setAddress}
        onSubmit={() => void request()}
        action={pending ? 'Sending the code' : 'Send code'}
      />
    </>
  );
}

function CodeStep({ companyAddress }: Props) {
  const { address, pending, error, info, request, enter, refuse } = companyAddress;
  const [code, setCode] = useState('');
  return (
    <>
      <MailedCode
        address={address}
        action="Continue"
        busyAction="Sending the code"
        busy={pending}
        code={code}
        onChange={setCode}
        onSubmit={enter}
        error={error}
        focus={1}
      />
      <div className="buttons">
        <SecondaryButton busy={pending} onClick={() => void request()}>
          Send a new code
        </SecondaryButton>
        <SecondaryButton busy={pending} onClick={() => refuse('address', null)}>
          Use another address
        </SecondaryButton>
      </div>
      <p role="status">{info}</p>
    </>
  );
}

type CompanyAddress = ReturnType<typeof useCompanyAddress>;

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
  const { pending, error, setError, run } = useAction();
  const [info, setInfo] = useState('');

  const request = () => {
    setInfo('');
    return run(async () => {
      const deps = { api, session: { userId: id, token: session.token() } };
      setSent(await requestCode(deps, address, orgID));
      if (sent) setInfo('We sent a new code.');
    });
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
