import { Navigate } from 'react-router-dom';
import type { EnrolmentAnswer } from '../../../../../src/contract/enrolment.ts';
import type { Finding } from '../../../../../src/contract/findings.ts';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { Banner, Card } from '../../../components/card.tsx';
import { GithubLink, SecondaryButton } from '../../../components/controls.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SkeletonLine } from '../../../components/text.tsx';
import { keepQuery } from '../../../lib/address/page-context.ts';
import type { Poster } from '../../../lib/api/api-client.ts';
import { useLoaded } from '../../../lib/react/queries.ts';
import { type Loaded, useClient } from '../../../lib/react/use-client.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { readEnrolment } from '../../../lib/signing/enrolment.ts';
import { organizationPage } from '../organization-page.tsx';
import { Section } from '../section.tsx';
import { FindingText, SetupHealth } from '../setup/setup-health.tsx';
import { type HealthState, useHealth } from '../setup/use-health.ts';
import styles from './home.module.css';
import { coverageText } from './home-texts.ts';
import { RecentActivity, WaitingVouches, YourAuthenticators } from './panels.tsx';
import { Verdict } from './verdict.tsx';
import { WaitingDeployments, WaitingPulls } from './waiting-pulls.tsx';
import { Weakenings } from './weakenings.tsx';

const TITLE = 'Overview';

/** `/org`: the verdict on an organization in four tiles, setup health in a line, what waits and the newest entries. */
export const OrganizationHomePage = organizationPage(TITLE, Home, Choose);

function Choose() {
  return <Navigate to={keepQuery('/select-org', '', { target: '/org' })} replace />;
}

function Home({ organization }: { organization: Organization }) {
  const { api } = useClient();
  const { orgId, role } = organization;
  const { loaded, change, refresh, reload } = useLoaded(['overview', orgId], () => readHome(api, orgId));
  const { answer, enrolment } = loaded.status === 'ok' ? loaded.value : { answer: null, enrolment: null };
  const isLoading = loaded.status === 'awaiting';
  const isFailed = loaded.status === 'failed';
  // Until the server answers, the role in the session decides whether to reserve space for the owners' sections.
  const isOwner = (answer?.role ?? role) === 'admin' && !isFailed;
  const isSuspended = answer?.installation.suspended ?? organization.suspended;
  const setup = useHealth(orgId, isOwner && !isSuspended);
  const gate = optionalGate(answer, setup);
  const acknowledged = async (entry: number) => {
    change((home) => without(home, entry));
    // A weakening that had no row has one now. If it can't be read, the number still says that there are more.
    if (answer?.weakenings?.length !== answer?.weakeningsTotal) await refresh();
  };
  const banner = isFailed && <Failure {...loaded} onRetry={reload} />;
  const vouches = enrolment && enrolment.waiting.length > 0 && (
    <WaitingVouches enrolment={enrolment} organization={organization} />
  );
  const yours = <YourAuthenticators organization={organization} enrolment={enrolment} />;
  const activity = <RecentActivity organization={organization} />;
  return (
    <div className="stack">
      <Card title={TITLE} wide busy={isLoading} banner={banner}>
        {isOwner && (
          <Verdict answer={answer} setup={setup}>
            <Weakenings
              weakenings={answer?.weakenings ?? []}
              total={answer?.weakeningsTotal ?? 0}
              organization={organization}
              onAcknowledged={acknowledged}
            />
            {!isSuspended && <SetupHealth state={setup} except={gate} />}
          </Verdict>
        )}
        {!isOwner && !isFailed && <Coverage answer={answer} />}
      </Card>
      {isOwner && !isSuspended ? (
        <div className={styles.panels}>
          <div>
            {vouches}
            {answer?.deployments && <WaitingDeployments deployments={answer.deployments} />}
            {answer?.waiting && <WaitingPulls orgID={orgId} waiting={answer.waiting} />}
          </div>
          <div>
            {activity}
            {yours}
            {gate && setup.health && (
              <Section title="Gate a release, if you like">
                <FindingText finding={gate} settingsUrl={setup.health.settingsUrl} />
              </Section>
            )}
          </div>
        </div>
      ) : (
        <div className={styles.panels}>
          <div>
            {vouches}
            {yours}
          </div>
          <div>{activity}</div>
        </div>
      )}
    </div>
  );
}

/**
 * The last step of the set-up, which is optional; null once an environment is gated, or once the owners made their choices.
 * It's below everything else: it comes with the setup health, and moves nothing then.
 */
function optionalGate(answer: OrganizationAnswer | null, { health }: HealthState): Finding | null {
  const gate = health?.findings.find(({ id }) => id === 'gate');
  const isNew = answer?.findings?.some(
    ({ id, status }) => (id === 'firstAuthenticator' || id === 'ownApprovals') && status === 'failing',
  );
  return isNew && gate?.id === 'gate' && gate.about.gated === 0 ? gate : null;
}

type HomeData = { answer: OrganizationAnswer; enrolment: EnrolmentAnswer | null };

/** The same without a weakening that was acknowledged. */
const without = ({ answer, enrolment }: HomeData, entry: number): HomeData => ({
  answer: {
    ...answer,
    weakenings: answer.weakenings?.filter((one) => one.entry !== entry) ?? null,
    weakeningsTotal: answer.weakeningsTotal && answer.weakeningsTotal - 1,
    findings: answer.findings?.filter(({ id }) => id !== 'weakened' || answer.weakeningsTotal !== 1) ?? null,
  },
  enrolment,
});

/** Reads both simultaneously, so that nothing moves later. Without the enrolment, the page omits who waits. */
async function readHome(api: Poster, orgID: number): Promise<HomeData> {
  const [answer, enrolment] = await Promise.all([
    api.post('/organization', { orgID }),
    readEnrolment(api, String(orgID)).catch(() => null),
  ]);
  return { answer, enrolment };
}

type FailureProps = Extract<Loaded<unknown>, { status: 'failed' }> & { onRetry: () => void };

function Failure({ code, text, onRetry }: FailureProps) {
  const { config } = useClient();
  return (
    <Banner text={text}>
      {code === 'installationNotFound' && config.install ? (
        <GithubLink href={config.install}>Install it on GitHub</GithubLink>
      ) : (
        <SecondaryButton onClick={onRetry}>Try again</SecondaryButton>
      )}
    </Banner>
  );
}

const BLOCKED = 'Merges are blocked only where the check is required.';

/** Says which pull requests OTP Guard checks; for members, who don't see how their organization is set up. */
function Coverage({ answer }: { answer: OrganizationAnswer | null }) {
  if (!answer) {
    return (
      <>
        <SkeletonLine like="OTP Guard checks every pull request in every repository." />
        <SkeletonLine like={BLOCKED} />
      </>
    );
  }
  const text = coverageText(answer.installation);
  if (!answer.installation.suspended) {
    return (
      <>
        <p>{text}</p>
        <p>{BLOCKED}</p>
      </>
    );
  }
  return (
    <Notice variant="warning">
      <p>{text}</p>
      <p>Ask an owner to unsuspend it.</p>
    </Notice>
  );
}
