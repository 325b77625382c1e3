import { useMemo, useState } from 'react';
import type { InboxAnswer, InboxPull, InboxTab } from '../../../../src/contract/inbox.ts';
import { Banner, Card } from '../../components/card.tsx';
import { DeploymentRows } from '../../components/deployment-rows.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { ListPages } from '../../components/list-pages.tsx';
import { PullRowSkeleton } from '../../components/pull-row.tsx';
import { ASKED_OF_YOU_IF } from '../../lib/asked-texts.ts';
import { useSessionState, useUser } from '../../lib/react/use-client.ts';
import { useFilters } from '../../lib/react/use-filters.ts';
import { countIn, isSameQuestion, totalText, useInbox } from '../../lib/react/use-inbox.ts';
import { authenticatorsOf } from '../../lib/session/user.ts';
import { MOST } from '../../lib/signing/batch-choice.ts';
import styles from './inbox.module.css';
import { InboxControls, InboxTabs } from './inbox-controls.tsx';
import { INBOX_FILTERS, type InboxFilters, isFiltered, questionOf } from './inbox-query.ts';
import { InboxRow } from './inbox-row.tsx';
import { SelectedBar } from './selected-bar.tsx';

/** The server answers with at most this many rows. */
const PAGE_SIZE = 25;

/** The pull requests and deployments that wait for the person, over all their organizations, in two tabs, live. */
export function Inbox() {
  const { filters, apply } = useFilters(INBOX_FILTERS);
  const { tab, list, answer, answered, known, failure } = useInboxPage(filters);
  const isLoading = !answer && failure === null;
  return (
    <Card title="Inbox" busy={isLoading} banner={failure !== null && <Failure text={failure} />}>
      <InboxTabs tab={tab} answer={known} />
      <Status filters={filters} tab={tab} answer={answer} isLoading={isLoading} />
      {known && tab && (
        <InboxControls
          // A tab's search is its own.
          key={tab}
          filters={filters}
          apply={apply}
          answer={answer ?? known}
          count={countIn(known, tab).count}
        />
      )}
      {isLoading && (
        <ul>
          {LIKELY.map((row) => (
            <PullRowSkeleton key={row} />
          ))}
        </ul>
      )}
      {answer && <DeploymentRows deployments={answer.deployments} />}
      {answer && (
        <ListPages list={list} size={PAGE_SIZE} shown={answer.pulls.length} total={totalText(answer.total)}>
          <Rows key={JSON.stringify(answered)} pulls={answer.pulls} />
        </ListPages>
      )}
    </Card>
  );
}

/** Rows that fill a phone's first screen, so that the footer doesn't move. */
const LIKELY = [1, 2, 3];

/** The list still works, and asks again automatically. The account says so too if nothing answers. */
function Failure({ text }: { text: string }) {
  const state = useSessionState();
  if (state.status === 'signed-in' && state.fresh === 'failed') return null;
  return <Banner calm text={`${text}\nThis list may be out of date. The page tries again automatically.`} />;
}

type StatusProps = {
  filters: InboxFilters;
  tab: InboxTab | null;
  answer: InboxAnswer | null;
  isLoading: boolean;
};

/** Says what there is, and what to do if there is nothing. */
function Status({ filters, tab, answer, isLoading }: StatusProps) {
  const isUnasked = answer !== null && countIn(answer, 'for-you').count === 0;
  const isDone = isUnasked && countIn(answer, 'may-approve').count === 0;
  const tone = isUnasked ? 'muted' : undefined;
  return (
    <>
      <p role="status" className={isDone ? 'row success' : tone}>
        {isDone && <Icon path={checkIcon} />}
        {answer && tab ? statusText(filters, tab, answer) : isLoading && 'Looking for what waits for you.'}
      </p>
      {answer?.isComplete === false && (
        <p className="quiet">
          1,000 pull requests or more wait in one of your organizations. This list comes from those that wait
          the longest, so there may be more.
        </p>
      )}
      {isUnasked && tab === 'for-you' && <p className="quiet">{ASKED_OF_YOU_IF}</p>}
    </>
  );
}

function statusText(filters: InboxFilters, tab: InboxTab, answer: InboxAnswer): string {
  const { count, words } = countIn(answer, tab);
  const others = countIn(answer, 'may-approve');
  if (isFiltered(filters) && count > 0) {
    const found = answer.total + answer.deployments.length;
    return found === 0 ? 'Nothing matches.' : `${totalText(found)} of ${words}`;
  }
  if (countIn(answer, 'for-you').count === 0) {
    if (others.count === 0) return "You're all caught up.";
    const nobody = answer.asksOthers ? "You aren't asked by name." : 'Nobody is asked by name.';
    return `${nobody} ${others.words} ${others.count === 1 ? 'is' : 'are'} waiting for any member.`;
  }
  if (tab === 'for-you') return `${words} ${count === 1 ? 'waits' : 'wait'} for you.`;
  if (count === 0) return 'Nothing else needs an approval.';
  return `${words} that any member can approve.`;
}

/** The page of the inbox that the filters and the person ask for. The one before stays on the screen while it loads. */
function useInboxPage(filters: InboxFilters) {
  /** The tab that an address without one opened; null until the server has answered. */
  const [opened, setOpened] = useState<InboxTab | null>(null);
  const tab = filters.tab === 'auto' ? opened : filters.tab;
  const filtersKey = JSON.stringify({ ...filters, tab });
  const [at, setAt] = useState<{ filtersKey: string; cursors: (string | undefined)[] }>(() => ({
    filtersKey,
    cursors: [undefined],
  }));
  // Other filters begin at their first page.
  const cursors = at.filtersKey === filtersKey ? at.cursors : [undefined];
  const after = cursors.at(-1);
  const question = useMemo(
    () => ({ ...questionOf({ ...filters, tab: tab ?? 'auto' }), ...(after !== undefined && { after }) }),
    [filters, tab, after],
  );
  const { answer: known, question: answered, failure } = useInbox(question);
  // A tab with rows isn't left for the other one while somebody reads it.
  if (known && opened !== known.opens && (!opened || countIn(known, opened).count === 0))
    setOpened(known.opens);
  const isAnswered = known !== null && isSameQuestion(question, answered);
  const [pageNumber, setPageNumber] = useState(1);
  if (isAnswered && pageNumber !== cursors.length) setPageNumber(cursors.length);

  // Another tab's rows would be a lie below this tab's name.
  const isOfTab = (answered.tab ?? 'for-you') === tab;
  const answer = isOfTab ? known : null;
  const turn = (next: (string | undefined)[]) => setAt({ filtersKey, cursors: next });
  const list = {
    answer,
    pageNumber,
    busy: !isAnswered && failure === null,
    next: () => answer?.next != null && turn([...cursors, answer.next]),
    previous: () => turn(cursors.slice(0, -1)),
  };
  return { tab, list, answer, answered, known, failure };
}

/** A new commit has to be selected again. */
const commitOf = ({ repoID, pr, head }: InboxPull) => `${repoID} ${pr} ${head}`;

/** The rows of a page, with what is selected of them and the button that approves it. */
function Rows({ pulls }: { pulls: InboxPull[] }) {
  const user = useUser();
  const [commits, setCommits] = useState<ReadonlySet<string>>(new Set());
  const hasKey = ({ org }: InboxPull) => authenticatorsOf(user, String(org.id)).webauthn.length > 0;
  const isSelected = (pull: InboxPull) => commits.has(commitOf(pull));
  const toggle = (pull: InboxPull) => {
    const next = new Set(commits);
    if (!next.delete(commitOf(pull))) next.add(commitOf(pull));
    setCommits(next);
  };
  const most = pulls.filter(hasKey).slice(0, MOST);
  const areAll = most.every(isSelected);
  const isFewer = most.length < pulls.length;
  return (
    <>
      {most.length > 1 && (
        <label className={`row target ${styles.all}`}>
          <input
            type="checkbox"
            checked={areAll}
            onChange={() => setCommits(areAll ? new Set() : new Set(most.map(commitOf)))}
          />
          {isFewer ? `Select ${most.length} of ${pulls.length} on this page` : 'Select all on this page'}
        </label>
      )}
      <ul aria-label="Pull requests" hidden={pulls.length === 0}>
        {pulls.map((pull) => (
          <InboxRow
            key={`${pull.repoID} ${pull.pr}`}
            pull={pull}
            selected={hasKey(pull) ? isSelected(pull) : null}
            onToggle={() => toggle(pull)}
          />
        ))}
      </ul>
      <SelectedBar selected={pulls.filter(isSelected)} />
    </>
  );
}
