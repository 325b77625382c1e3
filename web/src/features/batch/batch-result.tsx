import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { BatchAnswer, BatchItem } from '../../../../src/contract/approvals.ts';
import { actionLink } from '../../components/button.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { Icon } from '../../components/icon.tsx';
import { checkIcon } from '../../components/icons.ts';
import type { BatchChoice } from '../../lib/batch-choice.ts';
import { sameName } from '../../lib/check-statement.ts';
import styles from './batch.module.css';
import { isPassed, resultText } from './batch-texts.ts';
import { LeftOutList } from './left-out-list.tsx';

type Props = { answer: BatchAnswer; items: BatchItem[]; choice: BatchChoice };

/** The outcome of each pull request. It takes the focus from the button that it replaces. */
export function BatchResult({ answer, items, choice }: Props) {
  const { approved, left } = answer;
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => ref.current?.focus(), []);
  const titleOf = ({ repo, pr }: { repo: string; pr: number }) =>
    items.find(({ statement, target }) => statement.pr === pr && sameName(target.repo, repo))?.pull.title;
  return (
    <div ref={ref} className={styles.items} tabIndex={-1}>
      <p role="status">{resultText(answer)}</p>
      <ul aria-label="Your approvals">
        {approved.map((one) => (
          <li key={`${one.repo} ${one.pr}`} className={styles.approved}>
            {isPassed(one) && <Icon path={checkIcon} />}
            <div>
              <GithubLink href={one.redirect}>
                <bdi>
                  {choice.org.name}/{one.repo} #{one.pr}
                </bdi>
              </GithubLink>{' '}
              <bdi>{titleOf(one)}</bdi>
              {!one.passed && <p>Your approval counts. {one.needs}</p>}
              {!one.reported && (
                <p>Your approval is safe. GitHub hasn't accepted the check yet; we'll keep trying.</p>
              )}
            </div>
          </li>
        ))}
      </ul>
      <LeftOutList leftOut={left} choice={choice} titleOf={titleOf} />
      <Link className={actionLink} to="/">
        Back to the inbox
      </Link>
    </div>
  );
}
