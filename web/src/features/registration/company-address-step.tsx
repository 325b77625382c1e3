import { useState } from 'react';
import { EmailForm } from '../../components/email-form.tsx';
import { MailedCodeStep } from '../../components/mailed-code.tsx';
import { Label } from '../../components/text.tsx';
import { useUser } from '../../lib/react/use-client.ts';
import { useMailedCode } from '../../lib/react/use-mailed-code.ts';

type Props = { companyAddress: CompanyAddress; org: string; domains: string[] };

/** Asks for an address at one of the organization's domains, then for the code that was sent there. */
export function CompanyAddressStep({ companyAddress, org, domains }: Props) {
  const { mailed, enter } = companyAddress;
  if (mailed.sent) {
    return (
      <>
        <MailedCodeStep mailed={mailed} action="Continue" busyAction="Sending the code" onSubmit={enter} />
        <p role="status">{mailed.info}</p>
      </>
    );
  }
  return (
    <>
      <p>
        To register in <strong>{org}</strong>, confirm your company address: one that ends in{' '}
        <Label text={domainsText(domains)} strong />. Its owners see the address next to your GitHub username.
      </p>
      <EmailForm label="Company address" mailed={mailed} action="Send code" busyAction="Sending the code" />
    </>
  );
}

/** The domains as the ends of addresses: `@example.org or @example.com`. */
export const domainsText = (domains: string[]) =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(domains.map((domain) => `@${domain}`));

type CompanyAddress = ReturnType<typeof useCompanyAddress>;

/**
 * The company address with which a person enrols: a code is sent there, and goes with the registration. Only then the
 * server checks the code.
 */
export function useCompanyAddress(orgID: string) {
  const mailed = useMailedCode(`enrolment-email:${useUser().id}:${orgID}`, orgID);
  const [code, setCode] = useState<string | null>(null);
  const enter = async (digits: string) => {
    mailed.goBack('code');
    setCode(digits);
    return true;
  };
  /** Goes back to the code, or to the address, with the server's sentence. */
  const refuse = (step: 'code' | 'address', text: string) => {
    setCode(null);
    mailed.goBack(step, text);
  };
  const emailCode = mailed.sent && code !== null ? { ...mailed.sent, code } : null;
  return { mailed, emailCode, enter, refuse };
}
