import type { Policy } from '../../../../../src/contract/policy.ts';
import type { Organization } from '../../../lib/user.ts';
import { Section } from '../section.tsx';
import { AssurancePreview } from './assurance-preview.tsx';
import { CheckField, CheckGroup } from './check-fields.tsx';
import { METHODS } from './choices.ts';
import { ListField } from './list-field.tsx';
import styles from './policy.module.css';
import { assuranceText } from './policy-texts.ts';

type Assurance = Policy['assurance'];
type Props = { organization: Organization; assurance: Assurance; onChange: (assurance: Assurance) => void };

/** Which authenticators count, at a registration and at an approval. */
export function AssuranceFields({ organization, assurance, onChange }: Props) {
  const { methods, userVerification, deviceBound, models } = assurance;
  const change = (part: Partial<Assurance>) => onChange({ ...assurance, ...part });
  return (
    <Section title="What counts">
      <p className={styles.quiet}>{assuranceText(assurance)}</p>
      <CheckGroup
        legend="Kinds of authenticator"
        options={METHODS}
        value={methods}
        onChange={(methods) => change({ methods })}
      />
      <CheckField
        label="It has to verify the person, by PIN or biometrics"
        checked={userVerification === 'required'}
        onChange={(on) => change({ userVerification: on ? 'required' : 'preferred' })}
      />
      <CheckField
        label="Its key can't leave the device"
        checked={deviceBound}
        onChange={(deviceBound) => change({ deviceBound })}
      />
      <ListField
        label="Models"
        hint="AAGUIDs, one per line. Empty: every model."
        value={models}
        onChange={(models) => change({ models })}
      />
      <AssurancePreview organization={organization} assurance={assurance} />
    </Section>
  );
}
