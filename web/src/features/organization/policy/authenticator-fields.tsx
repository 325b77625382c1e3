import { useState } from 'react';
import type { Policy } from '../../../../../src/contract/policy.ts';
import { assuranceText, enrolmentText } from '../../../../../src/contract/policy-words.ts';
import { ActionError } from '../../../components/action-error.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import { Field, SelectField } from '../../../components/field.tsx';
import { useAction } from '../../../lib/react/use-action.ts';
import { useClient } from '../../../lib/react/use-client.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { Section } from '../section.tsx';
import { CheckField, CheckGroup, Fold, ListField, METHODS } from './fields.tsx';
import { previewText } from './policy-texts.ts';

type Assurance = Policy['assurance'];
type Props = { organization: Organization; assurance: Assurance; onChange: (assurance: Assurance) => void };

/** The form for which authenticators count, at a registration and at an approval. */
export function AssuranceFields({ organization, assurance, onChange }: Props) {
  const { methods, userVerification, deviceBound, models } = assurance;
  const change = (part: Partial<Assurance>) => onChange({ ...assurance, ...part });
  return (
    <Section title="Accepted authenticators">
      <p className="quiet">{assuranceText(assurance)}</p>
      <CheckGroup
        legend="Type"
        options={METHODS}
        value={methods}
        onChange={(methods) => change({ methods })}
      />
      <CheckField
        label="Require a PIN, fingerprint or face"
        checked={userVerification === 'required'}
        onChange={(on) => change({ userVerification: on ? 'required' : 'preferred' })}
      />
      <CheckField
        label="Don't accept synced passkeys"
        checked={deviceBound}
        onChange={(deviceBound) => change({ deviceBound })}
      />
      <Fold title="Accept only certain models" isOpen={models.length > 0}>
        <ListField
          label="Models"
          hint="AAGUIDs, one per line. Empty: every model."
          value={models}
          onChange={(models) => change({ models })}
        />
      </Fold>
      <AssurancePreview key={JSON.stringify(assurance)} organization={organization} assurance={assurance} />
    </Section>
  );
}

type AssurancePreviewProps = Pick<Props, 'organization' | 'assurance'>;

/** Shows how many members would be left without an authenticator that counts. Another choice needs another answer. */
function AssurancePreview({ organization: { orgId, name }, assurance }: AssurancePreviewProps) {
  const { api, session } = useClient();
  const [text, setText] = useState('');
  const { pending, error, run } = useAction();

  const ask = () =>
    run(async () => {
      setText('');
      const body = { org: name, orgID: orgId, assurance, accessToken: session.accessToken() };
      setText(previewText(await api.post('/github-preview-assurance', body)));
    });
  return (
    <>
      <ActionError text={error} />
      <p>
        <SecondaryButton busy={pending} onClick={() => void ask()}>
          {pending ? 'Looking' : "Who couldn't approve any more?"}
        </SecondaryButton>
      </p>
      <p className="quiet" role="status">
        {text}
      </p>
    </>
  );
}

type Enrolment = Policy['enrolment'];
type EnrolmentFieldsProps = { enrolment: Enrolment; onChange: (enrolment: Enrolment) => void };

/** The form for the needs of a person's first authenticator. */
export function EnrolmentFields({ enrolment, onChange }: EnrolmentFieldsProps) {
  const { mode, domains, vouchers, vouchExistingBy } = enrolment;
  const change = (part: Partial<Enrolment>) => onChange({ ...enrolment, ...part });
  return (
    <Section title="First authenticator">
      <p className="quiet">{enrolmentText(enrolment)}</p>
      <SelectField
        label="What it needs"
        value={mode}
        options={[
          ['open', 'A GitHub sign-in'],
          ['email', 'A code from a company e-mail address'],
          ['vouched', 'A vouch from a person'],
        ]}
        onChoose={(mode) => change({ mode })}
      />
      {mode === 'email' && (
        <ListField
          label="Domains"
          hint="One per line, such as example.org. Subdomains don't count."
          value={domains}
          onChange={(domains) => change({ domains })}
        />
      )}
      {mode === 'vouched' && (
        <>
          <SelectField
            label="Who may vouch"
            value={vouchers}
            options={[
              ['owners', 'Owners'],
              ['members', 'All members'],
            ]}
            onChoose={(vouchers) => change({ vouchers })}
          />
          <Field
            label="Existing authenticators need a vouch from"
            hint="Empty: they stay as they are."
            type="date"
            value={vouchExistingBy ?? ''}
            onChange={({ target }) => change({ vouchExistingBy: target.value || undefined })}
          />
        </>
      )}
    </Section>
  );
}
