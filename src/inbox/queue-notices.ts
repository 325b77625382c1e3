import { LAG_MS } from '../deployments/ports.ts';
import type { Organization } from '../organizations/ports.ts';
import { groupBy } from '../shared/group-by.ts';
import { inTurn } from '../shared/work.ts';
import {
  askedOf,
  composeNotice,
  createReadCurrent,
  type ReadablePull,
  type ReadCurrent,
  readableOf,
} from './compose-notice.ts';
import type { InboxDeps } from './deps.ts';
import { headKey, type Reader, toWaiting, type WaitingPull } from './ports.ts';
import { MOST_WAITING, readStanding } from './read-where.ts';
import type { Here } from './waits-for.ts';

/** A change that nobody could get an e-mail about for so long is no longer news. */
const LOOK_BACK_MS = 2 * 60 * 60_000;
const MOST_CHANGED = 1_000;
const HOUR_MS = 60 * 60_000;
/** The most e-mails that one person gets in an hour. What comes later goes into the next e-mail. */
const MOST_AN_HOUR = 10;

/**
 * Queues an e-mail for each person who chose to get it immediately and for whom a
 * pull request or a deployment waits that changed since then: one for all that are new to them.
 * Nobody gets two about one head, nor more than ten in an hour.
 *
 * @throws The first failure, after every organization had its turn.
 */
export function createQueueAtOnce(deps: InboxDeps): () => Promise<void> {
  /** The newest change in each organization, by record id, after which everybody had their e-mail. */
  const settled = new Map<string, string>();
  const queueChanged = async (readers: [Reader, ...Reader[]]) => {
    const [{ org }] = readers;
    const found = await findChanged(deps, org);
    const [newest] = found;
    if (!newest) return;
    const chose = Math.max(...readers.map((reader) => reader.chose.getTime()));
    const key = `${headKey(newest)}:${newest.changed.getTime()}:${chose}`;
    if (settled.get(org.id) === key) return;
    const changed = found.toSorted((one, other) => one.since.getTime() - other.since.getTime());
    if (await queueIn(deps, { org, readers, changed })) settled.set(org.id, key);
  };
  return async () => {
    const all = await deps.noticeChoices.readers('at-once');
    await inTurn(groupBy(all, ({ org }) => org.id).values(), queueChanged);
  };
}

/** What waits in the organization and changed in the last hours, the newest change first. */
async function findChanged(deps: InboxDeps, org: Organization): Promise<WaitingPull[]> {
  const now = deps.clock.now().getTime();
  const since = new Date(now - LOOK_BACK_MS);
  const settled = new Date(now - LAG_MS);
  const isNews = ({ changed }: { changed: Date }) => changed >= since && changed <= settled;
  const deployments = (await deps.deployments.waiting(org.orgId)).filter(isNews).map(toWaiting);
  const pulls = await deps.waitingPulls.changedSince(org.id, since, MOST_CHANGED);
  return [...pulls, ...deployments].sort((one, other) => other.changed.getTime() - one.changed.getTime());
}

/** True if nobody has to wait for the next round. One person's failure keeps no e-mail from the others. */
async function queueIn(
  deps: InboxDeps,
  { org, readers, changed }: { org: Organization; readers: Reader[]; changed: WaitingPull[] },
): Promise<boolean> {
  const where = await readHere(deps, org);
  const readCurrent = createReadCurrent(deps);
  let isSettled = true;
  await inTurn(readers, async (reader) => {
    const pulls = changed.filter((pull) => pull.changed >= reader.chose);
    const isDone = await queueFor(deps, reader, { pulls, where, readCurrent });
    isSettled &&= isDone;
  });
  return isSettled;
}

/** False if something has to wait for the next round. */
async function queueFor(
  deps: InboxDeps,
  reader: Reader,
  { pulls, where, readCurrent }: { pulls: WaitingPull[]; where: Here; readCurrent: ReadCurrent },
): Promise<boolean> {
  const { asked, standing } = await findAsked(deps, reader, { pulls, where });
  if (asked.length === 0) return true;
  const { userId } = reader;
  const noticed = await deps.pullNotices.about(userId);
  const fresh = asked.filter(({ pull }) => !noticed.has(headKey(pull)));
  if (fresh.length === 0) return true;
  const at = deps.clock.now();
  if ((await deps.pullNotices.count(userId, new Date(at.getTime() - HOUR_MS))) >= MOST_AN_HOUR) return false;
  const found = await readableOf(deps, reader, { asked: fresh, standing, where });
  const readable = found.map((one) => ({ ...one, reader }));
  const composed = await composeNotice({ ...deps, readCurrent }, 'pullsWait', { userId, readable, more: 0 });
  if (!composed) return true;
  // False if another process queues the e-mail right now. The next round queues the rest.
  return (await deps.pullNotices.queue({ ...composed, at })) && composed.isWhole;
}

/** UTC. */
const HOUR_OF_DAY = 7;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Once a day, from 07:00 UTC on: queues an e-mail for each person who chose it
 * and for whom something waits that they got no e-mail about. It counts what
 * they got one about and what still waits. Of several processes, and after a
 * restart, one queues each.
 *
 * @throws The first failure, after everybody had their turn; the next call tries those again.
 */
export function createQueueDigests(deps: InboxDeps): () => Promise<void> {
  let doneUntil = 0;
  return async () => {
    const now = deps.clock.now();
    const due = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), HOUR_OF_DAY));
    if (now < due || doneUntil === due.getTime()) return;
    const readCurrent = createReadCurrent(deps);
    // A person is a reader once for each of their organizations.
    const all = await deps.noticeChoices.readers('daily');
    await inTurn(groupBy(all, ({ userId }) => userId).values(), (readers) =>
      queueDigest(deps, readers, { due, readCurrent }),
    );
    doneUntil = due.getTime();
  };
}

async function queueDigest(
  deps: InboxDeps,
  readers: [Reader, ...Reader[]],
  { due, readCurrent }: { due: Date; readCurrent: ReadCurrent },
): Promise<void> {
  const [{ userId }] = readers;
  const noticed = await deps.pullNotices.about(userId);
  const readable: ReadablePull[] = [];
  let again = 0;
  // A person who chose it after the hour gets the next one.
  for (const reader of readers.filter(({ chose }) => chose < due)) {
    const found = await readableFor(deps, reader, due);
    const fresh = found.filter(({ pull }) => !noticed.has(headKey(pull)));
    again += found.length - fresh.length;
    readable.push(...fresh.map((one) => ({ ...one, reader })));
  }
  if (readable.length === 0) return;
  readable.sort((one, other) => one.pull.since.getTime() - other.pull.since.getTime());
  const composed = await composeNotice({ ...deps, readCurrent }, 'pullsDigest', {
    userId,
    readable,
    more: again,
  });
  const once = { key: `digest:${userId}:${due.toISOString()}`, until: new Date(due.getTime() + DAY_MS) };
  if (composed) await deps.pullNotices.queue({ ...composed, at: deps.clock.now(), once });
}

/** What waited at that time for one person in one organization. */
async function readableFor(deps: InboxDeps, reader: Reader, due: Date) {
  const { org } = reader;
  const waiting = await deps.waitingLists.of(org.id, MOST_WAITING);
  const deployments = (await deps.deployments.waiting(org.orgId)).map(toWaiting);
  const pulls = [...waiting, ...deployments].filter(({ changed }) => changed < due);
  if (pulls.length === 0) return [];
  const where = await readHere(deps, org);
  return readableOf(deps, reader, { ...(await findAsked(deps, reader, { pulls, where })), where });
}

async function readHere(deps: InboxDeps, org: Organization): Promise<Here> {
  const { policy } = await deps.policies.inForce(org.orgId);
  return { org, policy, pools: await deps.readPools(org) };
}

/** What waits for the reader if they may see it all: GitHub is asked about the few that remain. */
async function findAsked(
  deps: InboxDeps,
  reader: Reader,
  { pulls, where }: { pulls: WaitingPull[]; where: Here },
) {
  const about = { person: reader, role: reader.role, ...where, pulls };
  const standing = await readStanding(deps, { ...about, permissionIn: () => 'admin' });
  return { asked: askedOf(pulls, standing, where), standing };
}
