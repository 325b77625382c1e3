import type { RunWrite } from './fault-proxy.ts';
import type { StoredApproval } from './fault-world.ts';

/** A pull request between two changes: from GitHub's answer to the first until the second was sent. */
export type PullState = {
  since: number;
  until: number;
  repoId: number;
  orgId: number;
  number: number;
  head: string;
  base: string;
  open: boolean;
};
/** A merge group, and the pull request's state when it was queued. */
export type QueuedGroup = { head: string; baseSha: string; pull: PullState };

type Limits = {
  /** How long before a completion was sent its verdict may have been right for the last time. */
  judgedMs: number;
  /** How long a head may stay green after it no longer is approved. */
  repairedMs: number;
};
type History = {
  writes: RunWrite[];
  states: PullState[];
  groups: QueuedGroup[];
  approvals: StoredApproval[];
  /** When the product wasn't running; these times don't count as staying green. */
  downs: { since: number; until: number }[];
  now: number;
};

/** What is wrong with a success, and what happened to its head, with times in milliseconds after the first write. */
export type WrongGreen = { fault: string; writes: object[]; states: object[]; approvals: object[] };

/**
 * Finds each green that a merge could use wrongly, at any instant of the history. A head is approved at an instant
 * if each open pull request with it has a valid approval for its repository and base. Nobody can read pull requests and
 * approvals at one instant, so a success is right if each pull request that was open at some instant of the `judgedMs`
 * before it was sent has an approval that was valid at some instant of them. It must be taken away at most `repairedMs`
 * after the head was approved for the last time.
 */
export function findWrongGreens(history: History, limits: Limits): WrongGreen[] {
  const { writes, states, groups, approvals } = history;
  const passed = writes.filter(({ run }) => run.conclusion === 'success');
  // A repeated request changes nothing.
  const greens = passed.filter(
    ({ run }, index) => passed.findIndex((one) => one.run.id === run.id) === index,
  );
  return greens.flatMap((green) => {
    const { sent, at, run } = green;
    const group = groups.find(({ head }) => head === run.head_sha);
    const head = group?.pull.head ?? run.head_sha;
    const valid = approvals.filter((one) => one.head === head);
    const known = group ? [group.pull] : states.filter((one) => one.head === head);
    const changes = [...known.flatMap(({ since, until }) => [since, until]), ...valid.flatMap(validityOf)];
    const lacking = (time: number) => lackingAt(time, known, validDuring(valid, time, time));
    const from = sent - limits.judgedMs;
    const looks = [from, sent, ...changes.flatMap((time) => [time - 1, time])];
    const readable = validDuring(valid, from, sent);
    const wasRight = looks.some(
      (time) => time >= from && time <= sent && lackingAt(time, known, readable) === false,
    );
    const name = `run ${run.id} of ${run.head_sha}`;
    const tell = (faults: string[]): WrongGreen[] => {
      const written = writes.filter((one) => one.run.head_sha === run.head_sha);
      return faults.map((fault) => ({
        fault,
        ...timesAfter(writes[0]?.sent ?? 0, { written, known, valid }),
      }));
    };
    const faults = wasRight ? [] : [`${name} passed unapproved`];
    if (group) {
      const isOnGroup = groups.some((one) => one.head === group.baseSha);
      const hasPassed = greens.some((one) => one.run.head_sha === group.baseSha && one.at <= at);
      return tell(isOnGroup && !hasPassed ? [...faults, `${name} passed on a group that had not`] : faults);
    }
    const newer = writes.filter((one) => one.isNew && one.run.head_sha === head && one.run.id > run.id);
    const end = Math.min(history.now, ...newer.map((one) => one.at));
    const isDown = (time: number) => history.downs.some(({ since, until }) => since <= time && time < until);
    const during = [...changes, ...history.downs.flatMap(({ since, until }) => [since, until])];
    const longest = longestWrong(
      [at, ...during.filter((time) => time > at && time < end), end],
      (time) => lacking(time) && (isDown(time) ? 'down' : true),
    );
    return tell(longest > limits.repairedMs ? [...faults, `${name} stayed for ${longest} ms`] : faults);
  });
}

function timesAfter(
  start: number,
  { written, known, valid }: { written: RunWrite[]; known: PullState[]; valid: StoredApproval[] },
): Omit<WrongGreen, 'fault'> {
  return {
    writes: written.map(({ sent, at, run }) => ({
      run: run.id,
      conclusion: run.conclusion,
      sent: sent - start,
      at: at - start,
    })),
    states: known.map(({ number, base, open, since, until }) => ({
      number,
      base,
      open,
      since: since - start,
      until: until - start,
    })),
    approvals: valid.map((one) => {
      const [from, until] = validityOf(one);
      return { pr: one.pr, base: one.base, from: from - start, until: until - start };
    }),
  };
}

/** The longest time, in milliseconds, in which a pull request lacked an approval. */
function longestWrong(times: number[], lacking: (time: number) => boolean | undefined | 'down'): number {
  const inOrder = times.sort((one, other) => one - other);
  let [longest, current] = [0, 0];
  for (const [index, time] of inOrder.entries()) {
    const isWrong = lacking(time);
    if (isWrong === true) current += (inOrder[index + 1] ?? time) - time;
    if (!isWrong) current = 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

const validityOf = ({ created, withdrawn }: StoredApproval): [from: number, until: number] => [
  Date.parse(created),
  withdrawn ? Date.parse(withdrawn.split(' ')[0] ?? '') : Number.POSITIVE_INFINITY,
];

/** The approvals that were valid at some instant from `first` to `last`. */
const validDuring = (approvals: StoredApproval[], first: number, last: number) =>
  approvals.filter((one) => {
    const [from, until] = validityOf(one);
    return from <= last && first < until;
  });

/** Whether an open pull request lacks an approval; undefined if no pull request is open and nothing is approved. */
function lackingAt(time: number, states: PullState[], valid: StoredApproval[]): boolean | undefined {
  const open = states.filter((one) => one.open && one.since <= time && time < one.until);
  if (open.length === 0) return valid.length > 0 ? false : undefined;
  return !open.every(({ repoId, orgId, base }) =>
    valid.some((one) => one.repo_id === repoId && one.org_id === orgId && one.base === base),
  );
}
