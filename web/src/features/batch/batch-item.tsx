import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ApprovalTarget, BatchItem, LeftOut, ShownFiles } from '../../../../src/contract/approvals.ts';
import { Avatar } from '../../components/avatar.tsx';
import { ChangedFiles, Marks } from '../../components/changed-files.tsx';
import { CommitMessage } from '../../components/commit-message.tsx';
import { Button, GithubLink } from '../../components/controls.tsx';
import { Detail } from '../../components/detail.tsx';
import { Icon } from '../../components/icon.tsx';
import { Commit, inOrder, Label, SkeletonLine, SpelledName } from '../../components/text.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import { filesTitle, outcomeText } from '../../lib/pull-texts.ts';
import { useAnswer } from '../../lib/react/queries.ts';
import { useClient } from '../../lib/react/use-client.ts';
import type { BatchChoice } from '../../lib/signing/batch-choice.ts';
import { sameName } from '../../lib/signing/check-statement.ts';
import styles from './batch.module.css';
import { keyOf, nameOf, reasonToLook, strongMarks } from './batch-texts.ts';

type RowProps = {
  item: BatchItem;
  /** The files that are known by now. */
  files: ShownFiles | null;
  /** Called once the row was open and had its files, or the sentence that GitHub doesn't list them. */
  onLook: (key: string, files: ShownFiles | null) => void;
  /** Undefined for the only one. */
  onTakeOut: (() => void) | undefined;
};

/** A pull request of the batch. All of it comes from the server, and most of it is part of its signed statement. */
export function BatchItemRow({ item, files, onLook, onTakeOut }: RowProps) {
  const [isOpened, setOpened] = useState(false);
  const { statement, pull, story, rules } = item;
  const { author, approvedBefore, size } = pull;
  const earlier = story.approvals.findLast(({ head, withdrawn }) => head === approvedBefore && !withdrawn);
  return (
    <li className={`divided ${styles.item}`}>
      <div className={`between ${styles.name}`}>
        <p className="muted">
          <bdi>{nameOf(item)}</bdi>
        </p>
        {onTakeOut && (
          <Button variant="bar" onClick={onTakeOut}>
            <Icon path={crossIcon} />
            <span className="visually-hidden">Take out {nameOf(item)}</span>
          </Button>
        )}
      </div>
      <h2>
        <GithubLink href={pull.url} newTab>
          <bdi>{inOrder(pull.title)}</bdi>
        </GithubLink>
      </h2>
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
      </ul>
      {earlier && (
        <p>
          <bdi>{earlier.login}</bdi> approved an earlier commit, <Commit sha={earlier.head} />. This one is
          new.
        </p>
      )}
      {rules.map((rule) => (
        <p key={rule.name} className="muted">
          {rule.name && <Label text={`${rule.name}:`} inline />} {!rule.enforced && '(reported only) '}
          {outcomeText(rule)}
        </p>
      ))}
      <details id={keyOf(item)} className={styles.fold} onToggle={() => setOpened(true)}>
        <summary>
          {filesTitle(files, size)}
          {reasonToLook(files) === 'unlisted files' && ', not all listed'}
          <Marks marks={strongMarks(files)} />
        </summary>
        {isOpened && <Change item={item} onLook={onLook} />}
      </details>
    </li>
  );
}

type ChangeProps = Pick<RowProps, 'item' | 'onLook'>;

/** The message and the files. What the page doesn't have is asked for when a person opens the row. */
function Change({ item, onLook }: ChangeProps) {
  const { target, pull } = item;
  const { session } = useClient();
  const [accessToken] = useState(session.accessToken);
  const changes = useAnswer('/pull-changes', { ...target, accessToken });
  const isListed = item.files?.isComplete === true;
  const all = { ...target, type: 'show', files: 'all', accessToken } as const;
  const { loaded } = useAnswer('/github-check-webauthn-params', all, { enabled: !isListed });
  const isLoading = !isListed && loaded.status === 'awaiting';
  const files = (loaded.status === 'ok' && loaded.value.files) || item.files;
  const key = keyOf(item);
  useEffect(() => {
    if (!isLoading) onLook(key, files);
  }, [isLoading, onLook, key, files]);
  return (
    <div className="stack">
      <dl className="details">
        <Detail name="Message">
          <CommitMessage loaded={changes.loaded} />
        </Detail>
      </dl>
      <ChangedFiles files={files} changesUrl={pull.changesUrl} isLoading={isLoading} isOpen />
    </div>
  );
}

/** `XIcon` of Octicons */
const crossIcon =
  'M3.72 3.72a.75.75 0 0 1 1.06 0L8 6.94l3.22-3.22a.749.749 0 0 1 1.275.326.749.749 0 0 1-.215.734L9.06 8l3.22 3.22a.749.749 0 0 1-.326 1.275.749.749 0 0 1-.734-.215L8 9.06l-3.22 3.22a.751.751 0 0 1-1.042-.018.751.751 0 0 1-.018-1.042L6.94 8 3.72 4.78a.75.75 0 0 1 0-1.06Z';

/** Reserves the space of an item without rules while it loads. */
export const BatchItemSkeleton = ({ item: { owner, repo, pr } }: { item: ApprovalTarget }) => (
  <li className={`divided ${styles.item}`}>
    <SkeletonLine className={`muted ${styles.name}`} like={`${owner}/${repo} #${pr}`} />
    <SkeletonLine className={styles.title} like="The title of this pull request" />
    <SkeletonLine className={styles.summary} like="somebody 00000000 into main" />
    <SkeletonLine className="muted" like="Waits for an approval." />
    <SkeletonLine className="target" like="2 changed files" />
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
