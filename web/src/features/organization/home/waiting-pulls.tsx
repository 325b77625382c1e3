import { useState } from 'react';
import type { OrganizationAnswer, WaitingDeployment } from '../../../../../src/contract/organization.ts';
import { InternalLink } from '../../../components/controls.tsx';
import { DeploymentRows } from '../../../components/deployment-rows.tsx';
import { PullRow } from '../../../components/pull-row.tsx';
import { Ago } from '../../../components/text.tsx';
import { useClient } from '../../../lib/react/use-client.ts';
import { useFollowInbox, useInbox } from '../../../lib/react/use-inbox.ts';
import { Section } from '../section.tsx';
import { waitingText } from './home-texts.ts';

/** The deployments that wait; nothing if none does. */
export const WaitingDeployments = ({ deployments }: { deployments: WaitingDeployment[] }) =>
  deployments.length > 0 && (
    <Section title="Waiting deployments">
      <DeploymentRows deployments={deployments} />
    </Section>
  );

const TITLE = 'Waiting for approval';
const SHOWN = 5;

type Waiting = NonNullable<OrganizationAnswer['waiting']>;
/** The open pull requests that have waited longest for an approval, with a link to all of them. */
export function WaitingPulls({ orgID, waiting }: { orgID: number; waiting: Waiting }) {
  const { total, asOf, pulls } = useNewest(orgID, waiting);
  const shown = pulls.slice(0, SHOWN);
  return (
    <Section title={TITLE}>
      <p>{waitingText(total, shown.length)}</p>
      <p className="quiet">
        Counted <Ago at={asOf} />
      </p>
      <ul>
        {shown.map((pull) => (
          <PullRow key={pull.approval} pull={pull} name={`${pull.repo} #${pull.pr}`} />
        ))}
      </ul>
      {total > shown.length && (
        <p>
          <InternalLink className="target" to="/org/pulls">
            All {total} pull requests
          </InternalLink>
        </p>
      )}
    </Section>
  );
}

/** `first`, until the inbox changes; a failure to read the next one leaves the last, with its age. */
function useNewest(orgID: number, first: Waiting): Waiting {
  const { api } = useClient();
  const [read, setRead] = useState<{ first: Waiting; next: Waiting } | null>(null);
  // Its answers also bring the age up to date.
  useInbox();
  useFollowInbox(() => {
    api.post('/organization-pulls', { orgID }).then(
      (next) => setRead({ first, next }),
      () => undefined,
    );
  });
  return read?.first === first ? read.next : first;
}
