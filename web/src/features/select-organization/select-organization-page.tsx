import { useEffect } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { Card } from '../../components/card.tsx';
import { ChooseOrganization } from '../../components/choose-organization.tsx';
import { HiddenOrganizations, NoOrganizations } from '../../components/hidden-organizations.tsx';
import { SessionFailedCard } from '../../components/load-failure.tsx';
import { Label, SkeletonLine } from '../../components/text.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import { type Origins, safePath } from '../../lib/address/safe-url.ts';
import { useClient, useSessionState, useUser } from '../../lib/react/use-client.ts';
import { savePreference } from '../../lib/session/preference.ts';
import { type Organization, organizationQuery } from '../../lib/session/user.ts';
import styles from './select-organization.module.css';

const TITLE = 'Select Organization';
const MISSING = 'Missing target\nChoose an organization to open its page.';

/** `/select-org`: chooses the organization for the target page. The only one is chosen automatically. */
export function SelectOrganizationPage() {
  const { config, local } = useClient();
  const state = useSessionState();
  const user = useUser();
  const installed = user.organizations.filter(({ installationId }) => installationId > 0);
  const target = readSelectTarget(useLocation().search, config);

  if (!target) {
    return (
      <Card title={TITLE} banner={MISSING}>
        <ChooseOrganization />
      </Card>
    );
  }
  if (state.status !== 'signed-in' || state.fresh === 'pending') return <Waiting />;
  if (state.fresh === 'failed') return <SessionFailedCard title={TITLE} />;
  const [first] = installed;
  if (first && installed.length === 1)
    return <ChooseOnly organization={first} to={targetFor(target, first)} />;
  return (
    <Card title={TITLE}>
      {installed.length === 0 && <NoOrganizations />}
      <ul className={styles.list}>
        {installed.map((organization) => (
          <li key={organization.orgId}>
            <Link
              className={styles.link}
              to={targetFor(target, organization)}
              onClick={() => savePreference(local, user, organization)}
            >
              <Label text={organization.name} />
            </Link>
          </li>
        ))}
      </ul>
      <HiddenOrganizations />
    </Card>
  );
}

/** Chooses the person's only organization. */
function ChooseOnly({ organization, to }: { organization: Organization; to: string }) {
  const { local } = useClient();
  const user = useUser();
  useEffect(() => savePreference(local, user, organization), [local, user, organization]);
  return <Navigate to={to} replace />;
}

const Waiting = () => (
  <Card title={TITLE} busy>
    <SkeletonLine className={styles.link} like="an-organization" />
  </Card>
);

/** The page that the person is choosing an organization for. */
type SelectTarget = { path: string; search: string };

/**
 * Reads the target page from the address: a path of the dashboard, with the rest of the query. Null if there is no
 * target, or it isn't safe to follow.
 */
export function readSelectTarget(search: string, origins: Origins): SelectTarget | null {
  const query = new URLSearchParams(search);
  const target = safePath(query.get('target'), origins);
  if (!target) return null;
  const { pathname, searchParams } = new URL(target, origins.origin);
  query.delete('target');
  const rest = Object.fromEntries(query);
  return { path: pathname, search: keepQuery('', searchParams.toString(), rest) };
}

/** The address of the target page for one organization. */
export function targetFor(
  { path, search }: SelectTarget,
  organization: Parameters<typeof organizationQuery>[0],
): string {
  return keepQuery(path, search, organizationQuery(organization));
}
