import { useCallback } from 'react';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { GithubLink } from '../../../components/github-link.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { useLoaded } from '../../../lib/use-loaded.ts';
import type { Organization } from '../../../lib/user.ts';
import { OfOrganization } from '../of-organization.tsx';
import { Setup } from '../setup/setup.tsx';
import { useHealth } from '../setup/use-health.ts';
import { Latest } from './latest.tsx';
import { Members, MembersSkeleton } from './members.tsx';
import { OrganizationLinks } from './organization-links.tsx';
import { Own } from './own.tsx';
import { Protection } from './protection.tsx';
import { Waiting, WaitingSkeleton } from './waiting.tsx';

const NOT_INSTALLED = 404;

/** `/org`: is it protected, what waits, who can approve, what happened last, is it set up right. */
export const OrganizationHomePage = () => (
  <OfOrganization title="Organization">
    {(organization) => <Home key={organization.id} organization={organization} />}
  </OfOrganization>
);

function Home({ organization }: { organization: Organization }) {
  const { api, config } = useClient();
  const { orgId, name, role } = organization;
  const { loaded, reload } = useLoaded(
    useCallback(() => api.post<OrganizationAnswer>('/organization', { orgID: orgId }), [api, orgId]),
  );
  const answer = loaded.status === 'ok' ? loaded.value : null;
  // What this device remembers of the role keeps the place of what only owners see.
  const owner = (answer?.role ?? role) === 'admin';
  const waiting = loaded.status === 'awaiting';
  const setup = useHealth(orgId, answer?.role === 'admin' && !answer.installation.suspended);
  const showsSetup = owner && (answer ? !answer.installation.suspended : waiting);
  const banner = loaded.status === 'failed' && (
    <Banner text={loaded.text}>
      {loaded.code === NOT_INSTALLED && config.install ? (
        <GithubLink href={config.install}>Install it with GitHub</GithubLink>
      ) : (
        <Button look="secondary" onClick={reload}>
          Try again
        </Button>
      )}
    </Banner>
  );
  return (
    <Card title={answer?.name ?? name} busy={waiting} banner={banner}>
      <OrganizationLinks organization={organization} owner={owner} />
      {loaded.status !== 'failed' && <Protection answer={answer} setup={showsSetup ? setup : null} />}
      {waiting && owner && <WaitingSkeleton />}
      {answer?.waiting && <Waiting waiting={answer.waiting} />}
      {waiting && owner && <MembersSkeleton />}
      {answer?.members && <Members members={answer.members} orgId={orgId} onRefresh={reload} />}
      <Own organization={organization} />
      <Latest organization={organization} />
      {showsSetup && <Setup state={setup} />}
    </Card>
  );
}
