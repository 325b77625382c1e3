import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { Ago } from '../../../components/time.tsx';
import { StatusRow } from '../status-row.tsx';
import { webhooksStatus } from './part-status.ts';
import styles from './setup.module.css';
import { appsUrl, missedWebhooksText, USUAL_WATCH_SECONDS, watchText } from './setup-texts.ts';

type Props = Pick<OrganizationHealth, 'webhooks' | 'watchSeconds'> & { settingsUrl: string };

/** Whether GitHub's webhooks reach OTP Guard. */
export function WebhooksRow({ webhooks, watchSeconds, settingsUrl }: Props) {
  const { last, missed, silentSince } = webhooks;
  const status = webhooksStatus(webhooks);
  return (
    <StatusRow status={status}>
      {last ? (
        <p>
          Last webhook received <Ago at={last} />.
        </p>
      ) : (
        <p>
          No webhooks received yet.
          {missed === 0 &&
            " Open a pull request or push to one. If that doesn't help, check the webhook URL in the App's settings and that the webhook is active."}
        </p>
      )}
      {silentSince && (
        <p>
          Webhooks don't arrive: something changed on GitHub <Ago at={silentSince} />, and no webhook came.
          Checks are late, and a green check can be wrong for a while.
          {missed === 0 && " Check the webhook URL in the App's settings, and that the webhook is active."}
        </p>
      )}
      {watchSeconds > USUAL_WATCH_SECONDS && <p>{watchText(watchSeconds)}</p>}
      {missed > 0 && (
        <p>
          {missedWebhooksText(missed)} We asked GitHub to redeliver {missed === 1 ? 'it' : 'them'}. Check that
          GitHub can reach OTP Guard: the App's settings list the deliveries under Advanced.
        </p>
      )}
      {status !== 'good' && (
        <p>
          <GithubLink className={styles.link} href={appsUrl(settingsUrl)} newTab>
            Your Apps' settings
          </GithubLink>
        </p>
      )}
    </StatusRow>
  );
}
