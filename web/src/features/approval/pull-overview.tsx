import { useState } from 'react';
import type { ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import { Person } from '../../components/avatar.tsx';
import { CommitMessage } from '../../components/commit-message.tsx';
import { GithubLink } from '../../components/controls.tsx';
import { Detail } from '../../components/detail.tsx';
import { Subject, SubjectSkeleton } from '../../components/subject.tsx';
import { Commit, inOrder, SpelledName } from '../../components/text.tsx';
import { isStrong, sizeText } from '../../lib/pull-texts.ts';
import { usePageContext } from '../../lib/react/use-client.ts';
import styles from './approval.module.css';
import { type Changes, CopyHash } from './pull-details.tsx';

type Props = {
  request: ApprovalParamsAnswer | null;
  loading: boolean;
  /** What helps to decide; null if there's nothing left to approve. */
  changes: Changes | null;
};

/** Shows the approved pull request. All of it comes from the server, and most of it is part of the signed statement. */
export function PullOverview({ request, loading, changes }: Props) {
  if (!request) return loading ? <OverviewSkeleton /> : null;
  const { pull, statement, agents, files } = request;
  return (
    <Subject
      place={`${statement.repo.name} #${statement.pr}`}
      title={
        <GithubLink href={pull.url} newTab>
          <bdi>{inOrder(pull.title)}</bdi>
        </GithubLink>
      }
    >
      <Detail name="Opened by">{pull.author ? <Person {...pull.author} /> : 'A deleted account'}</Detail>
      <Detail name="Commit">
        <GithubLink href={pull.changesUrl} newTab>
          <Commit sha={statement.head} />
        </GithubLink>
        <CopyHash sha={statement.head} />
      </Detail>
      <Detail name="Into">
        <code>
          <SpelledName name={statement.base} />
        </code>
      </Detail>
      {changes && (
        <>
          {agents && <Detail name="Agents">{agents}</Detail>}
          <Detail name="Changes">{pull.size ? sizeText(pull.size) : 'Not available'}</Detail>
          <Message changes={changes} />
          <LookAt files={files} />
        </>
      )}
    </Subject>
  );
}

/** It comes after the page, and its failure delays nothing. */
const Message = ({ changes }: { changes: Changes }) => (
  <Detail name="Message">
    <CommitMessage loaded={changes} />
  </Detail>
);

/** The facts while they load. The address is only a hint: it tells about how long the texts will be. */
function OverviewSkeleton() {
  const { owner, repo, pr, title } = usePageContext();
  return (
    <SubjectSkeleton
      place={`${owner}/${repo} #${pr}`}
      title={title || 'The title of this pull request'}
      facts={{ 'Opened by': 'somebody', Commit: '00000000', Into: 'main', Changes: '3 files' }}
    >
      <Message changes={{ status: 'awaiting' }} />
    </SubjectSkeleton>
  );
}

const MOST_NAMED = 3;

/**
 * Names the first files to look at closely above the button in a narrow window, which has their list below it. Files that
 * come after the page are only counted, so that the button stays where it is.
 */
function LookAt({ files }: Pick<ApprovalParamsAnswer, 'files'>) {
  const [isLate] = useState(!files?.isComplete);
  const strong = files?.listed.filter(isStrong) ?? [];
  const more = strong.length - MOST_NAMED;
  if (isLate) {
    const isKnown = strong.length > 0 || files?.isComplete;
    const count = `${strong.length || 'None'} to look at closely`;
    return (
      <div className={styles.lookAt}>
        <Detail name="Files">{isKnown ? count : 'Not all listed yet'}</Detail>
      </div>
    );
  }
  if (strong.length === 0) return null;
  return (
    <div className={styles.lookAt}>
      <Detail name="Look at">
        <ul>
          {strong.slice(0, MOST_NAMED).map(({ path, marks }) => (
            <li key={path}>
              <code>
                <SpelledName name={path} />
              </code>{' '}
              · {marks.flatMap(({ name, isStrong }) => (isStrong ? [inOrder(name)] : [])).join(', ')}
            </li>
          ))}
          {more > 0 && <li>and {more} more</li>}
        </ul>
      </Detail>
    </div>
  );
}
