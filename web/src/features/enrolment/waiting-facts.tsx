import type { WaitingAuthenticator } from '../../../../src/contract/enrolment.ts';
import { Kind } from '../../components/authenticator-columns.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { Label } from '../../components/label.tsx';
import { Ago } from '../../components/time.tsx';
import { useClient } from '../../lib/use-client.ts';
import styles from './enrolment.module.css';

/** Whose authenticator waits, since when, and what it says it is. */
export function WaitingFacts({ waiting }: { waiting: WaitingAuthenticator }) {
  const { config } = useClient();
  const { holder, type, label, model, since } = waiting;
  return (
    <dl className={styles.facts}>
      <dt>GitHub account</dt>
      <dd>
        <GithubLink href={`${config.github}/${encodeURIComponent(holder.login)}`} newTab>
          <bdi>{holder.login}</bdi>
        </GithubLink>
      </dd>
      <dt>Type</dt>
      <dd>
        <Kind type={type} />
      </dd>
      <dt>Authenticator</dt>
      <dd>
        <Label text={label} />
      </dd>
      {model && (
        <>
          <dt>Claims to be</dt>
          <dd>
            <Label text={model} />
          </dd>
        </>
      )}
      <dt>Registered</dt>
      <dd>
        <Ago at={since} />
      </dd>
    </dl>
  );
}
