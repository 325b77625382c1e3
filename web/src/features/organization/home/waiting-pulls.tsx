import { Link } from 'react-router-dom';
import type { OrganizationAnswer, WaitingPull } from '../../../../../src/contract/organization.ts';
import { Commit } from '../../../components/commit.tsx';
import { GithubLink } from '../../../components/github-link.tsx';
import { Label } from '../../../components/label.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Ago } from '../../../components/time.tsx';
import { safePath } from '../../../lib/safe-url.ts';
import { useClient } from '../../../lib/use-client.ts';
import { Section } from '../section.tsx';
import styles from './home.module.css';
import { waitingText } from './home-texts.ts';

const TITLE = 'Waiting for approval';

type Props = { waiting: NonNullable<OrganizationAnswer['waiting']> };

/** The open pull requests with an unapproved head. */
export const WaitingPulls = ({ waiting: { total, pulls } }: Props) => (
  <Section title={TITLE}>
    <p>{waitingText(total, pulls.length)}</p>
    <ul>
      {pulls.map((pull) => (
        <Pull key={`${pull.repo} ${pull.pr}`} pull={pull} />
      ))}
    </ul>
  </Section>
);

function Pull({ pull: { repo, pr, title, author, head, since, url, approval } }: { pull: WaitingPull }) {
  const { config } = useClient();
  const path = safePath(approval, config);
  return (
    <li className={styles.pull}>
      <div className={styles.about}>
        <GithubLink className={styles.title} href={url}>
          <Label text={title || `#${pr}`} />
        </GithubLink>
        <p className={styles.quiet}>
          <bdi>
            {repo} #{pr}
          </bdi>
          {author && (
            <>
              {' '}
              by <bdi>{author}</bdi>
            </>
          )}
          , <Commit sha={head} />, <Ago at={since} />
        </p>
      </div>
      {path && (
        <Link className={styles.link} to={path}>
          Approve
          <span className="visually-hidden">
            {' '}
            {repo} #{pr}
          </span>
        </Link>
      )}
    </li>
  );
}

/** A placeholder as tall as two pull requests. */
export const WaitingPullsSkeleton = () => (
  <Section title={TITLE}>
    <p>
      <Skeleton like="2 pull requests are waiting for approval." />
    </p>
    <ul>
      {['1', '2'].map((row) => (
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
