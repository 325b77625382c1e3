import { Fragment, type ReactNode } from 'react';
import type { PullStory, StoryApproval } from '../../../src/contract/approvals.ts';
import { authenticatorKinds } from '../../../src/contract/authenticator-kinds.ts';
import { pullAddress } from '../lib/address/github.ts';
import { useClient, usePageContext } from '../lib/react/use-client.ts';
import { Avatar } from './avatar.tsx';
import { GithubLink, InternalLink } from './controls.tsx';
import { checkIcon, errorIcon, Icon } from './icon.tsx';
import { infoIcon } from './notice-icons.ts';
import { Ago, Commit, Label } from './text.tsx';
import styles from './timeline.module.css';

type Props = {
  story: PullStory;
  /** The commit whose proofs are on the page, each with `proofId`; those of other commits are on `/commit`. */
  proofsOf?: string;
  /** An earlier commit with the same files as the present head; null if there is none, or if it isn't known. */
  sameFilesAs?: string | null;
  /** What it waits for, as list items. */
  children?: ReactNode;
};

/** The element of an approval's proof. */
export const proofId = (approval: string) => `proof-${approval}`;

/** What happened to a pull request: who opened it, its commits, their approvals and denials, as far as the server knows. */
export function Timeline({ story, proofsOf, sameFilesAs = null, children }: Props) {
  const { opened, head, base, approvals, denials } = story;
  const given: Given[] = [...approvals, ...denials].sort((one, other) => one.at.localeCompare(other.at));
  const heads = [...new Set([...given.map((one) => one.head), ...(head ? [head] : [])])];
  return (
    <ol className={styles.timeline} aria-label="Timeline">
      {opened && <Opened {...opened} />}
      {heads.map((commit, at) => (
        <Fragment key={commit}>
          <CommitRow
            head={commit}
            before={heads[at - 1]}
            isSame={commit === head && heads[at - 1] === sameFilesAs}
          />
          {given
            .filter((one) => one.head === commit)
            .map((one) => (
              <GivenRow key={one.id} given={one} base={base} isHere={commit === proofsOf} />
            ))}
        </Fragment>
      ))}
      {children}
    </ol>
  );
}

function Opened({ by, at }: NonNullable<PullStory['opened']>) {
  const { config } = useClient();
  const context = usePageContext();
  return (
    <li>
      {by ? <Avatar login={by.login} src={by.avatarUrl} size="small" /> : <Icon path={infoIcon} />}
      <span>
        {by && (
          <>
            <bdi>{by.login}</bdi>{' '}
          </>
        )}
        <GithubLink href={pullAddress(config, context)}>
          {by ? 'opened it' : 'Opened'} <Ago at={at} />
        </GithubLink>
      </span>
    </li>
  );
}

type CommitRowProps = { head: string; before: string | undefined; isSame: boolean };

/** After a rebase, the comparison with three dots would begin before the earlier commit. */
function CommitRow({ head, before, isSame }: CommitRowProps) {
  const { github } = useClient().config;
  const { owner, repo } = usePageContext();
  return (
    <li>
      <Icon path={COMMIT} />
      <span>
        {before ? 'New commit' : 'Commit'} <Commit sha={head} />
        {isSame
          ? ', no file changed'
          : before && (
              <>
                ,{' '}
                <GithubLink href={`${github}/${owner}/${repo}/compare/${before}..${head}`} newTab>
                  see what changed
                </GithubLink>
              </>
            )}
      </span>
    </li>
  );
}

/** An approval, or a denial, which has a reason. */
type Given = StoryApproval & { reason?: string };

type GivenRowProps = { given: Given; base: string | null; isHere: boolean };

function GivenRow({ given, base, isHere }: GivenRowProps) {
  const { id, head, login, avatarUrl, method, at, withdrawn, reason } = given;
  const isDenial = reason !== undefined;
  const content = (
    <>
      <bdi>{login}</bdi>
      {isDenial && ' denied'}, {authenticatorKinds[method].noun}, <Ago at={at} />
    </>
  );
  const icon = isDenial ? errorIcon : checkIcon;
  return (
    <li className={withdrawn ? undefined : isDenial ? 'danger' : 'success'}>
      <Icon path={withdrawn ? infoIcon : icon} />
      <Avatar login={login} src={avatarUrl} size="small" />
      <span>
        {isHere ? (
          <a href={`#${proofId(id)}`}>{content}</a>
        ) : (
          <InternalLink to="/commit" query={{ head, form: null }}>
            {content}
          </InternalLink>
        )}
        {base !== null && given.base !== base && (
          <>
            {' '}
            into <Label text={given.base} inline />
          </>
        )}
        {reason && (
          <>
            : <Label text={reason} inline />
          </>
        )}
        {withdrawn && (
          <>
            , {isDenial ? 'ended' : 'withdrawn'} <Ago at={withdrawn} />
          </>
        )}
      </span>
    </li>
  );
}

/** Octicons' `GitCommitIcon` */
const COMMIT =
  'M11.93 8.5a4.002 4.002 0 0 1-7.86 0H.75a.75.75 0 0 1 0-1.5h3.32a4.002 4.002 0 0 1 7.86 0h3.32a.75.75 0 0 1 0 1.5Zm-1.43-.75a2.5 2.5 0 1 0-5 0 2.5 2.5 0 0 0 5 0Z';
