import type { Policy } from '../../../../../src/contract/policy.ts';
import { Field } from '../../../components/field.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { Section } from '../section.tsx';
import { ListField } from './list-field.tsx';
import styles from './policy.module.css';
import { enrolmentText } from './policy-texts.ts';

type Enrolment = Policy['enrolment'];
type Props = { enrolment: Enrolment; onChange: (enrolment: Enrolment) => void };

/** The form for the needs of a person's first authenticator. */
export function EnrolmentFields({ enrolment, onChange }: Props) {
  const { mode, domains, vouchers, vouchExistingBy } = enrolment;
  const change = (part: Partial<Enrolment>) => onChange({ ...enrolment, ...part });
  return (
    <Section title="First authenticator">
      <p className={styles.quiet}>{enrolmentText(enrolment)}</p>
      <SelectField
        label="What it needs"
        value={mode}
        onChange={({ target }) => change({ mode: target.value as Enrolment['mode'] })}
      >
        <option value="open">A GitHub sign-in</option>
        <option value="email">A code from a company e-mail address</option>
        <option value="vouched">A vouch from a person</option>
      </SelectField>
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
            onChange={({ target }) => change({ vouchers: target.value as Enrolment['vouchers'] })}
          >
            <option value="owners">Owners</option>
            <option value="members">All members</option>
          </SelectField>
          <Field
            label="Authenticators from before need a vouch from this day on"
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
