import { composeNotice, type ReadablePull } from './compose-notice.ts';
import { groupReaders, type Readers } from './group-readers.ts';
import { headKey, type Reader } from './ports.ts';
import { NOT_ASKED_YET, type QueueNoticesDeps } from './queue-at-once.ts';
import { readStanding } from './read-where.ts';
import { askedOf, createIsCurrent, type IsCurrent, readableOf } from './readable-pulls.ts';
import { MOST_WAITING, type WaitingLists } from './waiting-lists.ts';

/** UTC. */
const HOUR_OF_DAY = 7;
const DAY_MS = 24 * 60 * 60_000;

/** A person is a reader once for each of their organizations. */
const byPerson = ({ userId }: Reader) => userId;

export type QueueDigestsDeps = QueueNoticesDeps & { waitingLists: WaitingLists };

/**
 * Once a day, from 07:00 UTC on: queues an e-mail for each person who chose it
 * and for whom something waits that they got no e-mail about. It counts what
 * they got one about and what still waits. Of several processes, and after a
 * restart, one queues each.
 *
 * @throws The first failure, after everybody had their turn; the next call tries those again.
 */
export function createQueueDigests(deps: QueueDigestsDeps): () => Promise<void> {
  let doneUntil = 0;
  return async () => {
    const now = deps.clock.now();
    const due = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), HOUR_OF_DAY));
    if (now < due || doneUntil === due.getTime()) return;
    const failures: unknown[] = [];
    const isCurrent = createIsCurrent(deps);
    for (const readers of groupReaders(await deps.noticeChoices.readers('daily'), byPerson))
      await queueFor(deps, readers, { due, isCurrent }).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
    doneUntil = due.getTime();
  };
}

async function queueFor(
  deps: QueueDigestsDeps,
  readers: Readers,
  { due, isCurrent }: { due: Date; isCurrent: IsCurrent },
): Promise<void> {
  const [{ userId }] = readers;
  const noticed = await deps.pullNotices.about(userId);
  const readable: ReadablePull[] = [];
  let again = 0;
  // Who chose it after the hour gets the next one.
  for (const reader of readers.filter(({ chose }) => chose < due)) {
    const found = await readableFor(deps, reader, due);
    const fresh = found.filter(({ pull }) => !noticed.has(headKey(pull)));
    again += found.length - fresh.length;
    readable.push(...fresh.map((one) => ({ ...one, reader })));
  }
  if (readable.length === 0) return;
  readable.sort((one, other) => one.pull.since.getTime() - other.pull.since.getTime());
  const composed = await composeNotice({ ...deps, isCurrent }, 'pullsDigest', {
    userId,
    readable,
    more: again,
  });
  const once = { key: `digest:${userId}:${due.toISOString()}`, until: new Date(due.getTime() + DAY_MS) };
  if (composed) await deps.pullNotices.queue({ ...composed, at: deps.clock.now(), once });
}

/** The pull requests that waited at that time for one person in one organization. */
async function readableFor(deps: QueueDigestsDeps, reader: Reader, due: Date) {
  const { org, role } = reader;
  const waiting = await deps.waitingLists.of(org.id, MOST_WAITING);
  const pulls = waiting.filter(({ changed }) => changed < due);
  if (pulls.length === 0) return [];
  const { policy } = await deps.policies.inForce(org.orgId);
  const where = { org, policy, pools: await deps.readPools(org) };
  const standing = await readStanding(deps.teamsOf, {
    person: reader,
    role,
    org,
    policy,
    pulls,
    ...NOT_ASKED_YET,
  });
  return readableOf(deps, reader, { asked: askedOf(pulls, standing, where), standing, where });
}
