import { InternalLink } from '../../../components/internal-link.tsx';
import { organizationQuery } from '../../../lib/organizations.ts';
import { keepQuery } from '../../../lib/page-context.ts';
import { useUser } from '../../../lib/use-client.ts';
import { authenticatorsOf, type Organization } from '../../../lib/user.ts';
import { Section } from '../section.tsx';
import styles from './home.module.css';
import { yourAuthenticatorsText } from './home-texts.ts';

/** The signed-in person's own authenticators in the organization, or a link to register one. */
export function YourAuthenticators({ organization }: { organization: Organization }) {
  const text = yourAuthenticatorsText(authenticatorsOf(useUser(), String(organization.orgId)));
  const query = organizationQuery(organization);
  return (
    <Section title="Your authenticators">
      {text ? (
        <p>{text}</p>
      ) : (
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
