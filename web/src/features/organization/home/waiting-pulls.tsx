import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { InternalLink } from '../../../components/internal-link.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { ApproveLink, PullTitle } from '../pulls/pull-parts.tsx';
import { Section } from '../section.tsx';
import styles from './home.module.css';
import { waitingText } from './home-texts.ts';

const TITLE = 'Waiting for approval';
const SHOWN = 5;

type Props = { waiting: NonNullable<OrganizationAnswer['waiting']> };

/** The open pull requests that have waited longest for an approval, with a link to all of them. */
export function WaitingPulls({ waiting: { total, pulls } }: Props) {
  const shown = pulls.slice(0, SHOWN);
  return (
    <Section title={TITLE}>
      <p>{waitingText(total, shown.length)}</p>
      <ul>
        {shown.map((pull) => (
          <li key={`${pull.repo} ${pull.pr}`} className={styles.pull}>
            <PullTitle pull={pull} withAge />
            <ApproveLink pull={pull} />
          </li>
        ))}
      </ul>
      {total > shown.length && (
        <p>
          <InternalLink className={styles.link} to="/org/pulls">
            All {total} pull requests
          </InternalLink>
        </p>
      )}
    </Section>
  );
}

/** A placeholder as tall as three pull requests. */
export const WaitingPullsSkeleton = () => (
  <Section title={TITLE} busy>
    <p>
      <Skeleton like="2 pull requests are waiting for approval." />
    </p>
    <ul>
      {['1', '2', '3'].map((row) => (
        <li key={row} className={styles.pull}>
          <div className={styles.about}>
            <span className={styles.title}>
              <Skeleton like="What the pull request is about" />
            </span>
            <p className={styles.quiet}>
              <Skeleton like="hello #7 by a-member, 6dcb09b5" />
            </p>
          </div>
        </li>
      ))}
    </ul>
  </Section>
);
