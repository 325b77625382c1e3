import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import { GithubLink } from '../../../components/controls.tsx';
import { Ago } from '../../../components/text.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { StatusRow } from '../status-row.tsx';
import {
  enterpriseServerStatus,
  fullCheckStatus,
  isOverdue,
  permissionsStatus,
  webhooksStatus,
} from './part-status.ts';

type Props = { lastCheck: OrganizationHealth['sweep']; settingsUrl: string };

/** The result of the last full check: a reconciliation of all open pull requests. */
export function FullCheckRow({ lastCheck, settingsUrl }: Props) {
  const { now } = useClient();
  const status = fullCheckStatus(lastCheck, now());
  if (!lastCheck) {
    return (
      <StatusRow status={status}>
        <p>No full check yet. OTP Guard runs one when it starts and then every few minutes.</p>
      </StatusRow>
    );
  }
  const { at, repaired, faults } = lastCheck;
  return (
    <StatusRow status={status}>
      <p>
        Last full check <Ago at={at} />
        {faults.length === 0 ? `; ${repairedText(repaired)}.` : `: ${faultsText(faults, repaired)}`}
      </p>
      {isOverdue(lastCheck, now()) && (
        <p>It should run every few minutes. Ask the operator of OTP Guard to check its log.</p>
      )}
      {faults.length > 0 && (
        <>
          <p>The next full check tries again. If that doesn't help, make sure the App still has access.</p>
          <p>
            <GithubLink className="target" href={settingsUrl} newTab>
              The App's access
            </GithubLink>
          </p>
        </>
      )}
    </StatusRow>
  );
}

/** How old the server's last daily backup is. */
export const BackupRow = ({ last, isLate }: NonNullable<OrganizationHealth['backup']>) => (
  <StatusRow status={isLate ? 'wrong' : last ? 'good' : 'unknown'}>
    {last ? (
      <p>
        Last backup made <Ago at={last} />.
      </p>
    ) : (
      <p>{isLate ? 'There is no backup.' : 'The first backup is still to come.'}</p>
    )}
    {isLate && (
      <p>
        Ask the operator of OTP Guard to look at the log: without a backup, a broken disk takes every approval
        and authenticator with it.
      </p>
    )}
  </StatusRow>
);

type EnterpriseServerRowProps = { server: NonNullable<OrganizationHealth['enterpriseServer']> };

/** Shown only on an Enterprise Server: its version, and what it can't do. */
export const EnterpriseServerRow = ({ server }: EnterpriseServerRowProps) => (
  <StatusRow status={enterpriseServerStatus(server)}>
    <p>
      GitHub Enterprise Server {server.version}.
      {server.isUnchecked &&
        ' It is older than any version that OTP Guard was compared with, so some things may not work.'}
    </p>
    {!server.hasMergeGroups && (
      <p>
        The App gets no merge groups, so the check would block a merge queue forever. Don't require the check
        on branches with a merge queue.
      </p>
    )}
  </StatusRow>
);

/** Shown only if people come through a proxy that OTP Guard doesn't know about. */
export const ProxyRow = () => (
  <StatusRow status="wrong">
    <p>
      People come to OTP Guard through a proxy that it doesn't know about, so all of them seem to have one
      address. Ask the operator of OTP Guard to set <code>TRUST_PROXY</code>.
    </p>
  </StatusRow>
);

/** Whether the App has the permissions it needs. */
export function PermissionsRow({ permissions }: Pick<OrganizationHealth, 'permissions'>) {
  const { missing, isPending, settingsUrl } = permissions;
  const status = permissionsStatus(permissions);
  if (status === 'good') {
    return (
      <StatusRow status={status}>
        <p>The App has the permissions it needs.</p>
      </StatusRow>
    );
  }
  return (
    <StatusRow status={status}>
      {missing.length > 0 && <p>{missingPermissionsText(missing)}</p>}
      <p>
        {isPending
          ? 'The App requests permissions that no owner has accepted yet.'
          : "Ask the operator of OTP Guard to add this to the App's permissions on GitHub. An owner then has to accept it."}
      </p>
      <p>
        <GithubLink className="target" href={settingsUrl} newTab>
          {isPending ? 'Review and accept' : "The App's permissions"}
        </GithubLink>
      </p>
    </StatusRow>
  );
}

type WebhooksRowProps = Pick<OrganizationHealth, 'webhooks' | 'watchSeconds'> & { settingsUrl: string };

/** Whether GitHub's webhooks reach OTP Guard. */
export function WebhooksRow({ webhooks, watchSeconds, settingsUrl }: WebhooksRowProps) {
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
          <GithubLink className="target" href={appsUrl(settingsUrl)} newTab>
            Your Apps' settings
          </GithubLink>
        </p>
      )}
    </StatusRow>
  );
}

const MOST_NAMED = 5;

/** The permissions the App lacks. GitHub's `checks: write` becomes "write checks". */
export const missingPermissionsText = (missing: string[]) =>
  `The App isn't allowed to ${list(missing.map(permissionText), 'disjunction')}.`;

function permissionText(permission: string): string {
  const [, name, level] = /^([a-z_]+): ([a-z]+)$/.exec(permission) ?? [];
  return name && level ? `${level} ${name.replaceAll('_', ' ')}` : permission;
}

/** GitHub's page with the Apps of an account, from the settings page of one of its installations. */
const appsUrl = (settingsUrl: string) => settingsUrl.replace(/\/installations\/[0-9]+\/?$/, '/apps');

const missedWebhooksText = (missed: number) =>
  missed === 1 ? "1 webhook didn't reach OTP Guard." : `${missed} webhooks didn't reach OTP Guard.`;

/** Longer with many repositories, because GitHub limits requests. */
const USUAL_WATCH_SECONDS = 30;

/** Says what a lost webhook means if there are many repositories. */
const watchText = (seconds: number) =>
  `Many repositories have green checks, so OTP Guard looks at each only every ${Math.round(seconds)} seconds. If a webhook is lost, a green check can be wrong for that long.`;

/** How many check runs the last full check repaired. */
function repairedText(repaired: number): string {
  if (repaired === 0) return 'nothing to fix';
  return repaired === 1 ? 'fixed 1 check' : `fixed ${repaired} checks`;
}

/**
 * The repositories that the last full check failed for, and what it repaired in the others. They come as `owner/name`;
 * `octo-org/*` stands for all.
 */
export function faultsText(faults: string[], repaired: number): string {
  const names = faults.map((fault) => fault.slice(fault.indexOf('/') + 1));
  if (names.includes('*')) return "it failed for all of this organization's repositories.";
  const more = names.length - MOST_NAMED;
  const named = more > 0 ? [...names.slice(0, MOST_NAMED), `${more} more`] : names;
  const others = repaired > 0 ? ` It ${repairedText(repaired)} in others.` : '';
  return `it failed for ${list(named, 'conjunction')}.${others}`;
}

const list = (words: string[], type: Intl.ListFormatType) =>
  new Intl.ListFormat('en', { type }).format(words);
