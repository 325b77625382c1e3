import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { EmailField } from '../../components/email-field.tsx';
import { Label } from '../../components/label.tsx';
import { MailedCode } from '../../components/mailed-code.tsx';
import styles from './registration.module.css';
import type { CompanyAddress } from './use-company-address.ts';

type Props = { companyAddress: CompanyAddress; org: string; domains: string[] };

/** Asks for an address at one of the organization's domains, then for the code that was sent there. */
export const CompanyAddressStep = (props: Props) =>
  props.companyAddress.isSent ? <CodeStep {...props} /> : <AddressStep {...props} />;

/** The domains as the ends of addresses: `@example.org or @example.com`. */
export const domainsText = (domains: string[]) =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(domains.map((domain) => `@${domain}`));

function AddressStep({ companyAddress, org, domains }: Props) {
  const { address, setAddress, pending, request } = companyAddress;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) void request();
  };
  return (
    <>
      <p>
        To register in <strong>{org}</strong>, confirm your company address: one that ends in{' '}
        <strong>
          <Label text={domainsText(domains)} inline />
        </strong>
        . Its owners see the address next to your GitHub name.
      </p>
      <form className={styles.form} noValidate onSubmit={submit}>
        <EmailField label="Company address" pending={pending} address={address} onChange={setAddress} />
        <Button type="submit" busy={pending}>
          {pending ? 'Sending the code' : 'Send code'}
        </Button>
      </form>
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
      <div className={styles.alternatives}>
        <Button look="secondary" busy={pending} onClick={() => void request()}>
          Send a new code
        </Button>
        <Button look="secondary" busy={pending} onClick={() => refuse('address', null)}>
          Use another address
        </Button>
      </div>
      <p role="status">{info}</p>
    </>
  );
}
