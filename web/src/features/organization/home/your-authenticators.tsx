import type { EnrolmentAnswer } from '../../../../../src/contract/enrolment.ts';
import { InternalLink } from '../../../components/internal-link.tsx';
import { organizationQuery } from '../../../lib/organizations.ts';
import { keepQuery } from '../../../lib/page-context.ts';
import { useUser } from '../../../lib/use-client.ts';
import { authenticatorsOf, type Organization } from '../../../lib/user.ts';
import { Section } from '../section.tsx';
import styles from './home.module.css';
import { waitingOwnText, yourAuthenticatorsText } from './home-texts.ts';

type Props = {
  organization: Organization;
  /** Null if it isn't known. */
  enrolment: EnrolmentAnswer | null;
};

/** The signed-in person's own authenticators in the organization, what waits, and what to register. */
export function YourAuthenticators({ organization, enrolment }: Props) {
  const text = yourAuthenticatorsText(authenticatorsOf(useUser(), String(organization.orgId)));
  const query = organizationQuery(organization);
  const waits = enrolment && waitingOwnText(enrolment);
  return (
    <Section title="Your authenticators">
      {waits && (
        <p>
          {waits}{' '}
          <InternalLink className={styles.link} to="/waiting" query={query}>
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
          <ul className={styles.links}>
            <li>
              <InternalLink className={styles.link} to="/add-device" query={query}>
                On another device
              </InternalLink>
            </li>
            <li>
              <InternalLink
                className={styles.link}
                to="/register"
                query={{ ...query, redirectURL: keepQuery('/org', '', query) }}
              >
                On this one
              </InternalLink>
            </li>
          </ul>
        </>
      )}
      {!text && !waits && (
        <p>
          You don't have an authenticator here yet.{' '}
          <InternalLink
            className={styles.link}
            to="/register"
            query={{ ...query, redirectURL: keepQuery('/org', '', query) }}
          >
            Register one
          </InternalLink>
        </p>
      )}
    </Section>
  );
}
