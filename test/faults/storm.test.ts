import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import {
  addBranch,
  crowdMember,
  crowdRepository,
  type FaultWorld,
  SHORT_WAITS,
  type StoredApproval,
  startFaultWorld,
} from '../support/fault-world.ts';
import { type Pull, registerPasskey, type Session } from '../support/product.ts';
import { seeded } from '../support/seeded.ts';

/** For `npm run test:soak`. STORM_SEED sets other seeds, separated by commas. */
const LONG = {
  seeds: [1, 2, 3],
  repositories: 10,
  pulls: 200,
  people: 8,
  attemptsEach: 20,
  pushes: 60,
  closed: 10,
  kills: 10,
  storeKills: 5,
  twinEvery: 20,
};
/** One in `twinEvery` pull requests has the same head as an earlier one, and another base. */
const SHORT: typeof LONG = {
  seeds: [1],
  repositories: 3,
  pulls: 24,
  people: 4,
  attemptsEach: 5,
  pushes: 10,
  closed: 4,
  kills: 2,
  storeKills: 1,
  twinEvery: 6,
};
const STORM = process.env.SOAK ? LONG : SHORT;
const SEEDS = process.env.STORM_SEED?.split(',').map(Number) ?? STORM.seeds;
const LONGEST_MS = process.env.SOAK ? 20 * 60_000 : 120_000;

/** A pull request of the storm, with all heads that it has had. */
type Known = { repo: string; number: number; heads: string[]; base: string };
type Person = { session: Session; key: SoftwareAuthenticator };
type Approved = { repo: string; pr: number; head: string; by: string };

let random: () => number;
const below = (count: number) => Math.floor(random() * count);
const pick = <T>(list: readonly T[]): T => {
  const found = list[below(list.length)];
  if (found === undefined) throw new Error('The list is empty.');
  return found;
};

let world: FaultWorld;
let people: Person[];
let known: Known[];
let confirmed: Approved[];
let outcomes: Record<string, number>;
/** The number of completed steps. */
let done: number;
let isOver: boolean;

async function begin(seed: number): Promise<void> {
  random = seeded(seed);
  [known, confirmed, outcomes, done, isOver] = [[], [], {}, 0, false];
  world = await startFaultWorld({
    random: seeded(seed + 1),
    members: STORM.people,
    repositories: STORM.repositories - 1,
    waits: { ...SHORT_WAITS, writes: { ...SHORT_WAITS.writes, minuteMs: 10_000, hourMs: 10_000 } },
  });
  world.process.start();
  const repositories = Array.from({ length: STORM.repositories - 1 }, (_, index) =>
    crowdRepository(index + 1),
  );
  await Promise.all(['hello', ...repositories].map((repo) => addBranch(world, repo, 'release')));
  const [first] = await world.openPulls('hello');
  if (first) known.push({ repo: 'hello', number: first.number, heads: [first.head.sha], base: 'main' });
  await world.process.ready();
  people = await Promise.all(
    Array.from({ length: STORM.people }, async (_, index) => {
      const session = await world.signIn(crowdMember(index + 1));
      return { session, key: await registerPasskey(world, session) };
    }),
  );
}

/** Resolves when this part of all steps is done, from 0 to 1; rejects if the storm ends earlier. */
const whenDone = (part: number) =>
  new Promise<void>((go, giveUp) => {
    const total = STORM.pulls + STORM.pushes + STORM.closed + STORM.people * STORM.attemptsEach;
    const look = setInterval(() => {
      if (done < part * total && !isOver) return;
      clearInterval(look);
      if (isOver) giveUp(new Error('The storm is over.'));
      else go();
    }, 10);
  });

async function openAll(): Promise<void> {
  for (let at = 1; at < STORM.pulls; at += 1) {
    const repo = at % STORM.repositories === 0 ? 'hello' : crowdRepository(at % STORM.repositories);
    // Opens the first ones at once, and the others in the course of the storm.
    await whenDone((at / STORM.pulls) * 0.9 - 0.1);
    const isTwin = at > STORM.repositories && at % STORM.twinEvery < 1;
    const branch = isTwin ? `change-${at - STORM.repositories}` : `change-${at}`;
    const base = isTwin ? 'release' : 'main';
    const pull = await world.openPullIn(repo, { branch, base, isNew: !isTwin });
    known.push({ repo, number: pull.number, heads: [pull.head.sha], base });
    done += 1;
  }
  done += 1;
}

async function pushAll(): Promise<void> {
  for (let push = 0; push < STORM.pushes; push += 1) {
    await whenDone((push / STORM.pushes) * 0.8);
    const one = pick(known);
    const path = `/repos/octo-org/${one.repo}/pulls/${one.number}`;
    await world.asAdmin('PUT', `${path}/update-branch`).catch(closedInstead);
    const pull = await world.asAdmin<Pull>('GET', path);
    if (one.heads.at(-1) !== pull.head.sha) one.heads.push(pull.head.sha);
    done += 1;
  }
}

async function closeSome(): Promise<void> {
  for (let at = 0; at < STORM.closed; at += 1) {
    await whenDone((at / STORM.closed) * 0.9);
    const { repo, number } = pick(known);
    await world.asAdmin('PATCH', `/repos/octo-org/${repo}/pulls/${number}`, { state: 'closed' });
    if (random() < 0.5)
      await world.asAdmin('PATCH', `/repos/octo-org/${repo}/pulls/${number}`, { state: 'open' });
    done += 1;
  }
}

/** Ignores that the pull request is already closed. */
function closedInstead(error: Error): void {
  if (!error.message.includes(': 422 ')) throw error;
}

async function approveOften({ session, key }: Person): Promise<void> {
  for (let attempt = 0; attempt < STORM.attemptsEach; attempt += 1) {
    await world.process.ready();
    const one = pick(known);
    const head = one.heads.at(-1) ?? '';
    const outcome = await approveOnce({ session, key }, one, head).catch(() => 'cut off');
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (outcome.startsWith('200'))
      confirmed.push({ repo: one.repo, pr: one.number, head, by: session.login });
    done += 1;
  }
}

/** The outcome as the person sees it. */
async function approveOnce({ session, key }: Person, one: Known, head: string): Promise<string> {
  const { installation, orgID: ownerID, org: owner } = world.github.facts;
  const params = { installation, owner, ownerID, repo: one.repo, pr: one.number, head };
  const { accessToken } = session;
  const requested = await world.call(
    '/github-check-webauthn-params',
    { type: 'webauthn', ...params, accessToken },
    session,
  );
  if (requested.status !== 200) return `params ${requested.status}`;
  const { options } = requested.json<{ options: { challenge: string } }>();
  const body = { params, authResponse: key.get(options), accessToken };
  const answer = await world.call('/github-check-webauthn', body, session);
  if (answer.status !== 200) return `approve ${answer.status}`;
  return answer.json<{ reported: boolean }>().reported ? '200' : '200, reported later';
}

async function killOften(count: number, kill: () => Promise<boolean>): Promise<void> {
  const moments = Array.from({ length: count }, (_, index) => ((index + random()) / count) * 0.95);
  for (const moment of moments) {
    await whenDone(moment);
    while (!isOver && !(await kill())) await new Promise((again) => setTimeout(again, 20));
    // A random pause, so that some kills happen during a start.
    await new Promise((go) => setTimeout(go, random() * 2_000));
  }
}

const killProduct = () => world.process.kill();
const killStore = async () => world.process.killStore();

const keyOf = (repoId: number, pr: number, base: string, head: string) => `${repoId} ${pr} ${base} ${head}`;

/** Describes each difference between GitHub's check runs and the stored approvals. */
async function faultsAtGitHub(stored: StoredApproval[]): Promise<string[]> {
  const approvals = new Set(stored.map(({ repo_id, pr, base, head }) => keyOf(repo_id, pr, base, head)));
  const approvedHeads = new Set(stored.map(({ head }) => head));
  const faults: string[] = [];
  for (const repo of new Set(known.map((one) => one.repo))) {
    const { id } = await world.asAdmin<{ id: number }>('GET', `/repos/octo-org/${repo}`);
    const open = await world.openPulls(repo);
    for (const head of new Set(open.map((pull) => pull.head.sha))) {
      const pulls = open.filter((pull) => pull.head.sha === head);
      const isApproved = pulls.every((pull) => approvals.has(keyOf(id, pull.number, pull.base.ref, head)));
      const expected = isApproved ? 'completed success' : 'in_progress null';
      const runs = await world.ownRuns(repo, head, 'latest');
      const shown = runs.map(({ status, conclusion }) => `${status} ${conclusion}`);
      if (shown.length !== 1 || shown[0] !== expected) {
        const numbers = pulls.map(({ number }) => number).join(', ');
        faults.push(`${repo} #${numbers} at ${head}: ${shown.join(' and ') || 'no run'}, not ${expected}`);
      }
    }
    for (const head of new Set(known.filter((one) => one.repo === repo).flatMap(({ heads }) => heads))) {
      if (approvedHeads.has(head)) continue;
      for (const { id: run, conclusion } of await world.ownRuns(repo, head, 'all')) {
        if (conclusion === 'success') faults.push(`${repo} at ${head}: run ${run} passed unapproved`);
      }
    }
  }
  return faults;
}

describe.each(SEEDS)(`a storm of faults over ${STORM.pulls} pull requests, with seed %i`, (seed) => {
  beforeAll(() => begin(seed), 120_000);
  afterAll(async () => {
    isOver = true;
    await world?.stop();
  }, 60_000);

  const stormUntilTheEnd = async () => {
    world.proxy.storm({
      api: { failBefore: 0.04, failAfter: 0.03, slow: 0.05, cutBefore: 0.03, cutAfter: 0.03, limited: 0.005 },
      webhooks: { drop: 0.2, fail: 0.1, double: 0.1, delayMs: 1_000 },
    });
    await Promise.all([
      openAll(),
      pushAll(),
      closeSome(),
      ...people.map(approveOften),
      killOften(STORM.kills, killProduct),
      killOften(STORM.storeKills, killStore),
    ]);
    await world.proxy.calm();
    await world.proxy.settled();
    await world.process.ready();
  };

  it(
    'leaves each head with one correct check run, and each confirmed approval stored and its check green',
    async () => {
      await stormUntilTheEnd();
      const { report, log } = await world.sweep();
      await world.process.stop();
      const stored = await world.storedApprovals();
      const wrong = await faultsAtGitHub(stored);
      if (wrong.length > 0) {
        const { faults } = world.proxy;
        process.stderr.write(
          `storm: STORM_SEED=${seed} ${JSON.stringify({ outcomes, faults, report })} ${log}\n`,
        );
      }
      expect(wrong).toEqual([]);

      const kept = new Set(stored.map(({ pr, head }) => `${pr} ${head}`));
      expect(confirmed.filter(({ pr, head }) => !kept.has(`${pr} ${head}`))).toEqual([]);
      expect(confirmed).not.toEqual([]);
      expect(world.process.starts).toBeGreaterThan(STORM.kills);
    },
    LONGEST_MS,
  );
});
