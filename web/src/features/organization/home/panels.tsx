import { Link } from 'react-router-dom';
import { authenticatorKinds } from '../../../../../src/contract/authenticator-kinds.ts';
import type { EnrolmentAnswer, WaitingAuthenticator } from '../../../../../src/contract/enrolment.ts';
import { InternalLink, LoginLink } from '../../../components/controls.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { Ago, Label } from '../../../components/text.tsx';
import { keepQuery } from '../../../lib/address/page-context.ts';
import { useLoaded } from '../../../lib/react/queries.ts';
import { useRecordStore } from '../../../lib/react/record-store.ts';
import { useUser } from '../../../lib/react/use-client.ts';
import { authenticatorsOf, type Organization, organizationQuery } from '../../../lib/session/user.ts';
import { NO_ACTIVITY } from '../log/entry-text.ts';
import { LogList } from '../log/log-list.tsx';
import { LogRowsSkeleton } from '../log/log-row.tsx';
import { readOlder } from '../log/read-log.ts';
import { PageLinks } from '../page-links.tsx';
import { Section } from '../section.tsx';
import styles from './home.module.css';
import { waitingOwnText, waitingVouchesText, yourAuthenticatorsText } from './home-texts.ts';

type YourAuthenticatorsProps = {
  organization: Organization;
  /** Null if it isn't known. */
  enrolment: EnrolmentAnswer | null;
};

/** The signed-in person's own authenticators in the organization, what waits, and what to register. */
export function YourAuthenticators({ organization, enrolment }: YourAuthenticatorsProps) {
  const text = yourAuthenticatorsText(authenticatorsOf(useUser(), String(organization.orgId)));
  const query = organizationQuery(organization);
  const register = { to: '/register', query: { ...query, redirectURL: keepQuery('/org', '', query) } };
  const waits = enrolment && waitingOwnText(enrolment);
  return (
    <Section title="Your authenticators">
      {waits && (
        <p>
          {waits}{' '}
          <InternalLink className="target" to="/waiting" query={query}>
            What to do
          </InternalLink>
        </p>
      )}
      {text && <p>{text}</p>}
      {enrolment?.active === 1 && (
        <>
          <p>
            It's your only one: if you lose it, you can't approve until an owner helps. Register a second.
          </p>
          <PageLinks
            links={[
              { text: 'On another device', to: '/add-device', query },
              { text: 'On this one', ...register },
            ]}
          />
        </>
      )}
      {!text && !waits && (
        <p>
          You don't have an authenticator here yet.{' '}
          <InternalLink className="target" {...register}>
            Register one
          </InternalLink>
        </p>
      )}
    </Section>
  );
}

type WaitingVouchesProps = { enrolment: EnrolmentAnswer; organization: Pick<Organization, 'orgId' | 'name'> };

/** Lists whose authenticators wait for a vouch, for people who may vouch. */
export const WaitingVouches = ({ enrolment, organization }: WaitingVouchesProps) => (
  <Section title="Waiting for a vouch">
    <p>{waitingVouchesText(enrolment)}</p>
    <ul>
      {enrolment.waiting.map((waiting) => (
        <Waiting key={waiting.id} waiting={waiting} organization={organization} />
      ))}
    </ul>
  </Section>
);

function Waiting({
  waiting,
  organization,
}: { waiting: WaitingAuthenticator } & Pick<WaitingVouchesProps, 'organization'>) {
  const { id, holder, type, model, since } = waiting;
  const { login } = holder;
  const query = { owner: organization.name, ownerID: String(organization.orgId), authenticator: id };
  return (
    <li className={`between ${styles.pull}`}>
      <div>
        <LoginLink className="title-link" login={login} />
        <p className="quiet">
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
      <Link className="target" to={keepQuery('/vouch', '', query)}>
        Vouch<span className="visually-hidden"> for {login}</span>
      </Link>
    </li>
  );
}

const COUNT = 5;

/** The newest entries of the activity log, with a link to all of it. */
export function RecentActivity({ organization }: { organization: Organization }) {
  const store = useRecordStore();
  const { loaded, reload } = useLoaded(['recent activity', organization.id], () =>
    readOlder(store, { org: organization.id }, undefined, COUNT),
  );
  return (
    <Section title="Recent activity" busy={loaded.status === 'awaiting'}>
      {loaded.status === 'awaiting' && <LogRowsSkeleton count={COUNT} />}
      {loadFailure(loaded, reload, "We couldn't load the newest entries.")}
      {loaded.status === 'ok' && loaded.value.length === 0 && <p>{NO_ACTIVITY}</p>}
      {loaded.status === 'ok' && <LogList entries={loaded.value} organization={organization} heading="h3" />}
      {loaded.status !== 'awaiting' && (
        <p>
          <InternalLink className="target" to="/org/log" query={organizationQuery(organization)}>
            All activity
          </InternalLink>
        </p>
      )}
    </Section>
  );
}
