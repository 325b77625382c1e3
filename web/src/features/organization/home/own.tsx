import { KeptLink } from '../../../components/kept-link.tsx';
import { organizationQuery } from '../../../lib/organizations.ts';
import { keepQuery } from '../../../lib/page-context.ts';
import { useUser } from '../../../lib/use-client.ts';
import { authenticatorsOf, type Organization } from '../../../lib/user.ts';
import { Section } from '../section.tsx';
import styles from './home.module.css';
import { ownSentence } from './words.ts';

/** Whether the person themselves can approve here. */
export function Own({ organization }: { organization: Organization }) {
  const own = ownSentence(authenticatorsOf(useUser(), String(organization.orgId)));
  const query = organizationQuery(organization);
  return (
    <Section title="You">
      {own ? (
        <p>{own}</p>
      ) : (
        <p>
          You have no authenticator here yet.{' '}
          <KeptLink
            className={styles.link}
            to="/register"
            query={{ ...query, redirectURL: keepQuery('/org', '', query) }}
          >
            Register one
          </KeptLink>
        </p>
      )}
    </Section>
  );
}
