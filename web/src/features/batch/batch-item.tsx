import { Link } from 'react-router-dom';
import type { ApprovalTarget, BatchItem, LeftOut } from '../../../../src/contract/approvals.ts';
import { Avatar } from '../../components/avatar.tsx';
import { GithubLink } from '../../components/controls.tsx';
import { Commit, inOrder, Label, Skeleton, SkeletonLine, SpelledName } from '../../components/text.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import { outcomeText, sizeText } from '../../lib/pull-texts.ts';
import type { BatchChoice } from '../../lib/signing/batch-choice.ts';
import { sameName } from '../../lib/signing/check-statement.ts';
import styles from './batch.module.css';

/** A pull request of the batch. All of it comes from the server, and most of it is part of its signed statement. */
export function BatchItemRow({ item, choice }: { item: BatchItem; choice: BatchChoice }) {
  const { statement, pull, rules } = item;
  const { author, approvedBefore, size } = pull;
  return (
    <li className={`divided ${styles.item}`}>
      <p className="muted">
        <bdi>
          {statement.repo.name} #{statement.pr}
        </bdi>
      </p>
      <h2>
        <GithubLink href={pull.url} newTab>
          <bdi>{inOrder(pull.title)}</bdi>
        </GithubLink>
      </h2>
      <Renamed item={item} choice={choice} />
      <ul className={`links ${styles.summary}`} aria-label="Facts">
        <li className="row">
          <Avatar login={author?.login ?? '?'} src={author?.avatarUrl ?? null} size="small" />
          <span>
            <span className="visually-hidden">Opened by </span>
            {author ? <bdi>{author.login}</bdi> : 'A deleted account'}
          </span>
        </li>
        <li>
          <GithubLink href={pull.changesUrl} newTab>
            <span className="visually-hidden">Changes up to commit </span>
            <Commit sha={statement.head} />
          </GithubLink>
        </li>
        <li>
          into{' '}
          <code>
            <SpelledName name={statement.base} />
          </code>
        </li>
        {size && <li>{sizeText(size)}</li>}
      </ul>
      {approvedBefore && (
        <p>
          Earlier commit <Commit sha={approvedBefore} /> has an approval. This one needs its own.
        </p>
      )}
      {rules.map((rule) => (
        <p key={rule.name} className="muted">
          {rule.name && <Label text={`${rule.name}:`} inline />} {!rule.enforced && '(reported only) '}
          {outcomeText(rule)}
        </p>
      ))}
    </li>
  );
}

/** The statement names the repository as it's called now. */
function Renamed({ item: { statement }, choice }: { item: BatchItem; choice: BatchChoice }) {
  const chosen = choice.items.find(({ repoID }) => repoID === statement.repo.id);
  if (!chosen || sameName(`${chosen.owner}/${chosen.repo}`, statement.repo.name)) return null;
  return (
    <p role="status">
      You selected it in <Label text={`${chosen.owner}/${chosen.repo}`} inline />, which has another name now.
    </p>
  );
}

/** Reserves the space of an item without rules while it loads. */
export const BatchItemSkeleton = ({ item: { owner, repo, pr } }: { item: ApprovalTarget }) => (
  <li className={`divided ${styles.item}`}>
    <p className="muted">
      <Skeleton like={`${owner}/${repo} #${pr}`} />
    </p>
    <SkeletonLine className={styles.title} like="The title of this pull request" />
    <SkeletonLine className={styles.summary} like="somebody 00000000 into main, 2 files" />
    <SkeletonLine className="muted" like="Waits for an approval." />
  </li>
);

type Props = {
  leftOut: LeftOut[];
  choice: BatchChoice;
  /** Undefined for pull requests that GitHub didn't show. */
  titleOf?: (pull: { repo: string; pr: number }) => string | undefined;
};

/** Lists the pull requests that the batch leaves out, each with the reason and its page, which shows its new commit. */
export function LeftOutList({ leftOut, choice, titleOf }: Props) {
  if (leftOut.length === 0) return null;
  return (
    <section className={`divided ${styles.leftOut}`} aria-label="Left out">
      <h2>Left out</h2>
      <ul>
        {leftOut.map((one) => (
          <LeftOutItem key={`${one.repo} ${one.pr}`} one={one} choice={choice} title={titleOf?.(one)} />
        ))}
      </ul>
    </section>
  );
}

type LeftOutItemProps = { one: LeftOut; choice: BatchChoice; title: string | undefined };

function LeftOutItem({ one: { repo, pr, why }, choice: { items }, title }: LeftOutItemProps) {
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
          <bdi>{inOrder(title)}</bdi>
        </>
      )}
      <p>{why}</p>
      {chosen && (
        <Link className="target" to={keepQuery('/collect', '', Object.fromEntries(query))}>
          Open it alone<span className="visually-hidden">: {name}</span>
        </Link>
      )}
    </li>
  );
}
