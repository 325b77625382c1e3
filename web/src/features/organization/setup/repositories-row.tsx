import type { RepositoryCounts } from '../../../../../src/contract/organization-health.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { InternalLink } from '../../../components/internal-link.tsx';
import { StatusRow } from '../status-row.tsx';
import styles from './setup.module.css';
import { requiredSummary } from './summaries.ts';

type Props = { counts: RepositoryCounts; settingsUrl: string };

/** How many repositories require the check, and the way to them. */
export function RepositoriesRow({ counts, settingsUrl }: Props) {
  const { status, text } = requiredSummary(counts);
  return (
    <StatusRow status={status}>
      <p>{text}</p>
      <p>
        {counts.total === 0 ? (
          <GithubLink className={styles.link} href={settingsUrl} newTab>
            Choose repositories
          </GithubLink>
        ) : (
          <InternalLink className={styles.link} to="/org/repositories">
            Each repository
          </InternalLink>
        )}
      </p>
    </StatusRow>
  );
}
