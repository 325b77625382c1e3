import { useCallback } from 'react';
import type { EnrolmentAnswer } from '../../../../../src/contract/enrolment.ts';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { GithubLink } from '../../../components/github-link.tsx';
import type { Poster } from '../../../lib/api-client.ts';
import { readEnrolment } from '../../../lib/enrolment.ts';
import { useClient } from '../../../lib/use-client.ts';
import { useLoaded } from '../../../lib/use-loaded.ts';
import type { Organization } from '../../../lib/user.ts';
import { RequireOrganization } from '../require-organization.tsx';
import { SetupHealth } from '../setup/setup-health.tsx';
import { useHealth } from '../setup/use-health.ts';
import { Members, MembersSkeleton } from './members.tsx';
import { OrganizationLinks } from './organization-links.tsx';
import { Protection } from './protection.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { WaitingPulls, WaitingPullsSkeleton } from './waiting-pulls.tsx';
import { WaitingVouches } from './waiting-vouches.tsx';
import { YourAuthenticators } from './your-authenticators.tsx';

const NOT_INSTALLED = 404;

/** `/org`: who waits for a vouch, an organization's protection, waiting pull requests, members, recent activity and setup health. */
export const OrganizationHomePage = () => (
  <RequireOrganization title="Organization">
    {(organization) => <Home key={organization.id} organization={organization} />}
  </RequireOrganization>
);

function Home({ organization }: { organization: Organization }) {
  const { api } = useClient();
  const { orgId, name, role } = organization;
  const { loaded, reload } = useLoaded(useCallback(() => readHome(api, orgId), [api, orgId]));
  const { answer, enrolment } = loaded.status === 'ok' ? loaded.value : { answer: null, enrolment: null };
  const isLoading = loaded.status === 'awaiting';
  // Until the server answers, the role in the session decides whether to reserve space for the owners' sections.
  const isOwner = (answer?.role ?? role) === 'admin';
  const setup = useHealth(orgId, answer?.role === 'admin' && !answer.installation.suspended);
  const showsSetup = isOwner && (answer ? !answer.installation.suspended : isLoading);
  const banner = loaded.status === 'failed' && <Failure {...loaded} onRetry={reload} />;
  return (
    <Card title={answer?.name ?? name} busy={isLoading} banner={banner}>
      <OrganizationLinks organization={organization} isOwner={isOwner} />
      {enrolment && enrolment.waiting.length > 0 && (
        <WaitingVouches enrolment={enrolment} organization={organization} />
      )}
      {loaded.status !== 'failed' && <Protection answer={answer} setup={showsSetup ? setup : null} />}
      {isLoading && isOwner && <WaitingPullsSkeleton />}
      {answer?.waiting && <WaitingPulls waiting={answer.waiting} />}
      {isLoading && isOwner && <MembersSkeleton />}
      {answer?.members && <Members members={answer.members} organization={organization} onRefresh={reload} />}
      <YourAuthenticators organization={organization} enrolment={enrolment} />
      <RecentActivity organization={organization} />
      {showsSetup && <SetupHealth state={setup} />}
    </Card>
  );
}

type HomeData = { answer: OrganizationAnswer; enrolment: EnrolmentAnswer | null };

/** Both at once, so that nothing moves later. Without the enrolment, the page leaves out who waits. */
async function readHome(api: Poster, orgID: number): Promise<HomeData> {
  const [answer, enrolment] = await Promise.all([
    api.post<OrganizationAnswer>('/organization', { orgID }),
    readEnrolment(api, String(orgID)).catch(() => null),
  ]);
  return { answer, enrolment };
}

function Failure({ code, text, onRetry }: { code: number; text: string; onRetry: () => void }) {
  const { config } = useClient();
  return (
    <Banner text={text}>
      {code === NOT_INSTALLED && config.install ? (
        <GithubLink href={config.install}>Install it on GitHub</GithubLink>
      ) : (
        <Button look="secondary" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Banner>
  );
}
