import { InternalLink } from '../../../components/internal-link.tsx';
import { organizationQuery } from '../../../lib/organizations.ts';
import type { Organization } from '../../../lib/user.ts';
import styles from './home.module.css';

const PAGES = [
  { name: 'Repositories', to: '/org/repositories' },
  { name: 'Authenticators', to: '/org/authenticators' },
  { name: 'Policy', to: '/org/policy' },
  { name: 'Activity log', to: '/org/log' },
];
const IMAGE = { name: 'Security image', to: '/org/image' };

type Props = { organization: Organization; isOwner: boolean };

/** Links to the organization's other pages, and to the account to change the organization. */
export const OrganizationLinks = ({ organization, isOwner }: Props) => (
  <nav aria-label="Organization">
    <ul className={styles.links}>
      {[...PAGES, ...(isOwner ? [IMAGE] : [])].map(({ name, to }) => (
        <li key={to}>
          <InternalLink className={styles.link} to={to} query={organizationQuery(organization)}>
            {name}
          </InternalLink>
        </li>
      ))}
      <li>
        <InternalLink className={styles.link} to="/">
          Change<span className="visually-hidden"> organization</span>
        </InternalLink>
      </li>
    </ul>
  </nav>
);
