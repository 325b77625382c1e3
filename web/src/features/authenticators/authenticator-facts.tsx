import type { ReactNode } from 'react';
import { Kind, storageText } from '../../components/authenticator-columns.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { Label } from '../../components/label.tsx';
import { Ago, Day } from '../../components/time.tsx';
import type { Authenticator } from '../../lib/authenticator.ts';
import { enrolledText } from '../../lib/enrolled-text.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import styles from './authenticators.module.css';

/** The facts about one authenticator, as a list. */
export function AuthenticatorFacts({ authenticator }: { authenticator: Authenticator }) {
  const { type, label, org, created, lastUsed, model, synced } = authenticator;
  const { config } = useClient();
  const { id: userId } = useUser();
  return (
    <dl className={styles.facts}>
      <Fact name="Type">
        <Kind type={type} />
      </Fact>
      <Fact name="Authenticator">
        <Label text={label} />
      </Fact>
      <Fact name="Org">
        <GithubLink href={`${config.github}/${encodeURIComponent(org.name)}`}>
          <Label text={org.name} />
        </GithubLink>
      </Fact>
      <Fact name="Added">
        <Day at={created} />
      </Fact>
      <Fact name="Enrolment">{enrolledText(authenticator, userId)}</Fact>
      <Fact name="Last used">{lastUsed ? <Ago at={lastUsed} /> : 'Never'}</Fact>
      {model && (
        <Fact name="Model">
          <Label text={model} />
        </Fact>
      )}
      {synced !== null && <Fact name="Stored">{storageText(synced)}</Fact>}
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
