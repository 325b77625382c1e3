import type {
  OutgoingWebhookAnswer,
  OutgoingWebhookKind,
} from '../../../../../src/contract/outgoing-webhooks.ts';
import { Card } from '../../../components/card.tsx';
import { InternalLink } from '../../../components/controls.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { Skeleton } from '../../../components/text.tsx';
import { useAnswer } from '../../../lib/react/queries.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { organizationPage } from '../organization-page.tsx';
import { WebhookCard } from './webhook-card.tsx';
import styles from './webhooks.module.css';

const TITLE = 'Webhooks';
const KINDS: OutgoingWebhookKind[] = ['webhook', 'slack'];

/** `/org/hooks`: where an organization's events go. For owners. */
export const WebhooksPage = organizationPage(TITLE, LoadedWebhooks);

function LoadedWebhooks({ organization }: { organization: Organization }) {
  const { orgId, name } = organization;
  const { loaded, change, reload } = useAnswer('/organization-hooks', { orgID: orgId });
  const answer = loaded.status === 'ok' ? loaded.value : null;
  const replace = (kind: OutgoingWebhookKind, webhook: OutgoingWebhookAnswer | null) =>
    change(({ hooks }) => {
      const others = hooks.filter((one) => one.kind !== kind);
      return { hooks: webhook ? [...others, webhook] : others };
    });
  return (
    <Card title={TITLE} wide busy={loaded.status === 'awaiting'} banner={loadFailure(loaded, reload)}>
      <p>
        Send events from{' '}
        <InternalLink to="/org">
          <bdi>{name}</bdi>
        </InternalLink>{' '}
        to your own server or Slack. An event is a new log entry, or a pull request that starts to wait for an
        approval. It has the pull request's title, even if the repository is private.
      </p>
      {loaded.status !== 'failed' && (
        <div className={styles.cards}>
          {KINDS.map((kind) =>
            answer ? (
              <WebhookCard
                key={kind}
                kind={kind}
                organization={organization}
                webhook={answer.hooks.find((one) => one.kind === kind) ?? null}
                onChange={(webhook) => replace(kind, webhook)}
              />
            ) : (
              <div key={kind} className={styles.webhook}>
                <Skeleton like="A placeholder about as long as what a webhook is for, and a field with its address." />
              </div>
            ),
          )}
        </div>
      )}
    </Card>
  );
}
