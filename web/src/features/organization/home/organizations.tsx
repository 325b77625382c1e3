import { Link } from 'react-router-dom';
import { Card } from '../../../components/card.tsx';
import { HiddenOrganizations, NoOrganizations } from '../../../components/hidden-organizations.tsx';
import { Label, SkeletonLine } from '../../../components/text.tsx';
import { keepQuery } from '../../../lib/address/page-context.ts';
import { useClient, useSessionState, useUser } from '../../../lib/react/use-client.ts';
import { savePreference } from '../../../lib/session/preference.ts';
import { type Organization, organizationQuery } from '../../../lib/session/user.ts';
import styles from './home.module.css';

/** `/org` without an organization: the person's organizations. The one they choose becomes the preferred one. */
export function Organizations() {
  const { local } = useClient();
  const user = useUser();
  const state = useSessionState();
  const installed = user.organizations.filter(({ installationId }) => installationId > 0);
  const mayGrow = state.status === 'signed-in' && state.fresh === 'pending' && installed.length === 0;
  return (
    <Card title="Organizations" busy={mayGrow}>
      {mayGrow ? (
        <SkeletonLine className="target" like="an-organization" />
      ) : (
        installed.length === 0 && <NoOrganizations />
      )}
      <ul>
        {installed.map((organization) => (
          <li key={organization.orgId} className={`between ${styles.pull}`}>
            <div>
              <Link
                className="title-link"
                to={keepQuery('/org', '', organizationQuery(organization))}
                onClick={() => savePreference(local, user, organization)}
              >
                <Label text={organization.name} />
              </Link>
              <p className="quiet">{stateOf(organization)}</p>
            </div>
          </li>
        ))}
      </ul>
      <HiddenOrganizations />
    </Card>
  );
}

function stateOf({ role, suspended }: Organization): string {
  if (suspended) return 'Suspended on GitHub';
  return role === 'admin' ? 'Owner' : 'Member';
}
