import { KeptLink } from '../../../components/kept-link.tsx';
import { organizationQuery } from '../../../lib/organizations.ts';
import type { Organization } from '../../../lib/user.ts';
import styles from './home.module.css';

const PAGES = [
  { name: 'Repositories', to: '/org/repositories' },
  { name: 'Authenticators', to: '/org/authenticators' },
  { name: 'Activity log', to: '/org/log' },
];
const IMAGE = { name: 'Security image', to: '/org/image' };

type Props = { organization: Organization; owner: boolean };

/** The other pages of the organization, and the way to another organization. */
export const OrganizationLinks = ({ organization, owner }: Props) => (
  <nav aria-label="Organization">
    <ul className={styles.links}>
      {[...PAGES, ...(owner ? [IMAGE] : [])].map(({ name, to }) => (
        <li key={to}>
          <KeptLink className={styles.link} to={to} query={organizationQuery(organization)}>
            {name}
          </KeptLink>
        </li>
      ))}
      <li>
        <KeptLink className={styles.link} to="/">
          Change<span className="visually-hidden"> organization</span>
        </KeptLink>
      </li>
    </ul>
  </nav>
);
