import { Link } from 'react-router-dom';
import { authenticatorKinds } from '../../../../../src/contract/authenticator-kinds.ts';
import type { EnrolmentAnswer, WaitingAuthenticator } from '../../../../../src/contract/enrolment.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { Label } from '../../../components/label.tsx';
import { Ago } from '../../../components/time.tsx';
import { keepQuery } from '../../../lib/page-context.ts';
import { useClient } from '../../../lib/use-client.ts';
import type { Organization } from '../../../lib/user.ts';
import { Section } from '../section.tsx';
import styles from './home.module.css';
import { waitingVouchesText } from './home-texts.ts';

type Props = { enrolment: EnrolmentAnswer; organization: Pick<Organization, 'orgId' | 'name'> };

/** Lists whose authenticators wait for a vouch, for people who may vouch. */
export const WaitingVouches = ({ enrolment, organization }: Props) => (
  <Section title="Waiting for a vouch">
    <p>{waitingVouchesText(enrolment)}</p>
    <ul>
      {enrolment.waiting.map((waiting) => (
        <Waiting key={waiting.id} waiting={waiting} organization={organization} />
      ))}
    </ul>
  </Section>
);

function Waiting({ waiting, organization }: { waiting: WaitingAuthenticator } & Pick<Props, 'organization'>) {
  const { config } = useClient();
  const { id, holder, type, model, since } = waiting;
  const { login } = holder;
  const query = { owner: organization.name, ownerID: String(organization.orgId), authenticator: id };
  return (
    <li className={styles.pull}>
      <div className={styles.about}>
        <GithubLink className={styles.title} href={`${config.github}/${encodeURIComponent(login)}`}>
          <bdi>{login}</bdi>
        </GithubLink>
        <p className={styles.quiet}>
          {authenticatorKinds[type].title}
          {model && (
            <>
              {' '}
              that claims to be <Label text={model} inline />
            </>
          )}
          , <Ago at={since} />
        </p>
      </div>
      <Link className={styles.link} to={keepQuery('/vouch', '', query)}>
        Vouch<span className="visually-hidden"> for {login}</span>
      </Link>
    </li>
  );
}
