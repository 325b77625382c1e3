import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { Ago } from '../../../components/time.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { StatusRow } from '../status-row.tsx';
import { fullCheckStatus, isOverdue } from './part-status.ts';
import styles from './setup.module.css';
import { faultsText, repairedText } from './setup-texts.ts';

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
            <GithubLink className={styles.link} href={settingsUrl} newTab>
              The App's access
            </GithubLink>
          </p>
        </>
      )}
    </StatusRow>
  );
}
