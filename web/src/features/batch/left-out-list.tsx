import { Link } from 'react-router-dom';
import type { LeftOut } from '../../../../src/contract/approvals.ts';
import type { BatchChoice } from '../../lib/batch-choice.ts';
import { sameName } from '../../lib/check-statement.ts';
import { keepQuery } from '../../lib/page-context.ts';
import styles from './batch.module.css';

type Props = {
  leftOut: LeftOut[];
  choice: BatchChoice;
  /** Undefined for those that GitHub didn't show. */
  titleOf?: (pull: { repo: string; pr: number }) => string | undefined;
};

/** Lists the pull requests that the batch leaves out, each with the reason and its page, which shows its new commit. */
export function LeftOutList({ leftOut, choice, titleOf }: Props) {
  if (leftOut.length === 0) return null;
  return (
    <section className={styles.leftOut} aria-label="Left out">
      <h2>Left out</h2>
      <ul>
        {leftOut.map((one) => (
          <LeftOutItem key={`${one.repo} ${one.pr}`} one={one} choice={choice} title={titleOf?.(one)} />
        ))}
      </ul>
    </section>
  );
}

type ItemProps = { one: LeftOut; choice: BatchChoice; title: string | undefined };

function LeftOutItem({ one: { repo, pr, why }, choice: { items }, title }: ItemProps) {
  const chosen = items.find((item) => item.pr === pr && sameName(item.repo, repo));
  const name = `${chosen ? `${chosen.owner}/${chosen.repo}` : repo} #${pr}`;
  const query = Object.entries(chosen ?? {}).map(([key, value]) => [key, String(value)]);
  return (
    <li>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      {title && (
        <>
          {' '}
          <bdi>{title}</bdi>
        </>
      )}
      <p>{why}</p>
      {chosen && (
        <Link className={styles.own} to={keepQuery('/collect', '', Object.fromEntries(query))}>
          Open it alone<span className="visually-hidden">: {name}</span>
        </Link>
      )}
    </li>
  );
}
