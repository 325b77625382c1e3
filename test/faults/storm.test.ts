import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import {
  addBranch,
  crowdMember,
  crowdRepository,
  type FaultWorld,
  type StoredApproval,
  startFaultWorld,
} from '../support/fault-world.ts';
import { type Pull, registerPasskey, type Session } from '../support/product.ts';
import { seeded } from '../support/seeded.ts';

const SEED = Number(process.env.STORM_SEED ?? Date.now() % 1_000_000);
const REPOSITORIES = 10;
const PULLS = 200;
const PEOPLE = 8;
const ATTEMPTS_EACH = 20;
const PUSHES = 60;
const CLOSED = 10;
const KILLS = 10;
const STORE_KILLS = 5;
/** One in so many pull requests has the same head as the one before it, into another base. */
const TWIN_EVERY = 20;

/** A pull request that the storm made, with each head that it ever had. */
type Known = { repo: string; number: number; heads: string[]; base: string };
type Person = { session: Session; key: SoftwareAuthenticator };
type Approved = { repo: string; pr: number; head: string; by: string };

const random = seeded(SEED);
const below = (count: number) => Math.floor(random() * count);
const pick = <T>(list: readonly T[]): T => {
  const found = list[below(list.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
};

let world: FaultWorld;
let people: Person[];
const known: Known[] = [];
const told: Approved[] = [];
const answers: Record<string, number> = {};

beforeAll(async () => {
  process.stderr.write(`storm: STORM_SEED=${SEED}\n`);
  world = await startFaultWorld({
    random: seeded(SEED + 1),
    members: PEOPLE,
    repositories: REPOSITORIES - 1,
  });
  world.process.start();
  const repositories = Array.from({ length: REPOSITORIES - 1 }, (_, at) => crowdRepository(at + 1));
  await Promise.all(['hello', ...repositories].map((repo) => addBranch(world, repo, 'release')));
  const [first] = await world.openPulls('hello');
  if (first) known.push({ repo: 'hello', number: first.number, heads: [first.head.sha], base: 'main' });
  await world.process.ready();
  people = await Promise.all(
    Array.from({ length: PEOPLE }, async (_, at) => {
      const session = await world.signIn(crowdMember(at + 1));
      return { session, key: await registerPasskey(world, session) };
    }),
  );
}, 60_000);

afterAll(() => world.stop(), 30_000);

let done = 0;
/** Resolves when so much of the storm has happened. */
const whenDone = (part: number) =>
  new Promise<void>((go) => {
    const total = PULLS + PUSHES + CLOSED + PEOPLE * ATTEMPTS_EACH;
    const look = setInterval(() => {
      if (done < part * total) return;
      clearInterval(look);
      go();
    }, 10);
  });

async function openAll(): Promise<void> {
  for (let at = 1; at < PULLS; at += 1) {
    const repo = at % REPOSITORIES === 0 ? 'hello' : crowdRepository(at % REPOSITORIES);
    // The first ones at once, the others as the storm goes on.
    await whenDone((at / PULLS) * 0.9 - 0.1);
    const isTwin = at > REPOSITORIES && at % TWIN_EVERY < 1;
    const branch = isTwin ? `change-${at - REPOSITORIES}` : `change-${at}`;
    const base = isTwin ? 'release' : 'main';
    const pull = await world.openPullIn(repo, { branch, base, isNew: !isTwin });
    known.push({ repo, number: pull.number, heads: [pull.head.sha], base });
    done += 1;
  }
  done += 1;
}

async function pushAll(): Promise<void> {
  for (let push = 0; push < PUSHES; push += 1) {
    await whenDone((push / PUSHES) * 0.8);
    const one = pick(known);
    const path = `/repos/octo-org/${one.repo}/pulls/${one.number}`;
    await world.asAdmin('PUT', `${path}/update-branch`).catch(closedInstead);
    const pull = await world.asAdmin<Pull>('GET', path);
    if (one.heads.at(-1) !== pull.head.sha) one.heads.push(pull.head.sha);
    done += 1;
  }
}

async function closeSome(): Promise<void> {
  for (let at = 0; at < CLOSED; at += 1) {
    await whenDone((at / CLOSED) * 0.9);
    const { repo, number } = pick(known);
    await world.asAdmin('PATCH', `/repos/octo-org/${repo}/pulls/${number}`, { state: 'closed' });
    if (random() < 0.5)
      await world.asAdmin('PATCH', `/repos/octo-org/${repo}/pulls/${number}`, { state: 'open' });
    done += 1;
  }
}

/** A pull request may be closed by the time that somebody pushes to it. */
function closedInstead(error: Error): void {
  if (!error.message.includes(': 422 ')) throw error;
}

async function approveOften({ session, key }: Person): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_EACH; attempt += 1) {
    await world.process.ready();
    const one = pick(known);
    const head = one.heads.at(-1) ?? '';
    const outcome = await approveOnce({ session, key }, one, head).catch(() => 'cut off');
    answers[outcome] = (answers[outcome] ?? 0) + 1;
    if (outcome.startsWith('200')) told.push({ repo: one.repo, pr: one.number, head, by: session.login });
    done += 1;
  }
}

/** How it ended, as the person saw it. */
async function approveOnce({ session, key }: Person, one: Known, head: string): Promise<string> {
  const { installation, orgID: ownerID, org: owner } = world.github.facts;
  const params = { installation, owner, ownerID, repo: one.repo, pr: one.number, head };
  const { accessToken } = session;
  const asked = await world.call(
    '/github-check-webauthn-params',
    { type: 'webauthn', ...params, accessToken },
    session,
  );
  if (asked.status !== 200) return `params ${asked.status}`;
  const { options } = asked.json<{ options: { challenge: string } }>();
  const body = { params, authResponse: key.get(options), accessToken };
  const answer = await world.call('/github-check-webauthn', body, session);
  if (answer.status !== 200) return `approve ${answer.status}`;
  return answer.json<{ reported: boolean }>().reported ? '200' : '200, reported later';
}

async function killOften(count: number, kill: () => Promise<boolean>): Promise<void> {
  const moments = Array.from({ length: count }, (_, at) => ((at + random()) / count) * 0.95);
  for (const moment of moments) {
    await whenDone(moment);
    while (!(await kill())) await new Promise((again) => setTimeout(again, 20));
    // The next one comes at a moment of its own, also while it starts.
    await new Promise((go) => setTimeout(go, random() * 2_000));
  }
}

const killProduct = () => world.process.kill();
const killStore = async () => world.process.killStore();

const keyOf = (repoId: number, pr: number, base: string, head: string) => `${repoId} ${pr} ${base} ${head}`;

/** Everything at GitHub that is not as the record store says that it must be, in words. */
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

describe(`a storm over ${PULLS} pull requests`, () => {
  it('leaves every head with the one run that is right, and no approval without its green check', async () => {
    world.proxy.storm({
      api: { failBefore: 0.04, failAfter: 0.03, slow: 0.05, cutBefore: 0.03, cutAfter: 0.03, limited: 0.02 },
      hooks: { drop: 0.2, fail: 0.1, double: 0.1, delayMs: 1_000 },
    });
    await Promise.all([
      openAll(),
      pushAll(),
      closeSome(),
      ...people.map(approveOften),
      killOften(KILLS, killProduct),
      killOften(STORE_KILLS, killStore),
    ]);
    await world.proxy.calm();
    await world.proxy.settled();
    await world.process.ready();
    const began = Date.now();
    const { report, log } = await world.sweep();
    const { faults } = world.proxy;
    process.stderr.write(`storm: ${JSON.stringify({ answers, faults, starts: world.process.starts })}\n`);
    process.stderr.write(`storm: one sweep, ${Date.now() - began} ms: ${JSON.stringify(report)}\n`);
    if (report.faults.length > 0) process.stderr.write(`storm: its log: ${log}\n`);
    await world.process.stop();
    const stored = await world.storedApprovals();
    expect(await faultsAtGitHub(stored)).toEqual([]);

    const kept = new Set(stored.map(({ pr, head }) => `${pr} ${head}`));
    expect(told.filter(({ pr, head }) => !kept.has(`${pr} ${head}`))).toEqual([]);
    expect(told.length).toBeGreaterThan(PEOPLE);
    expect(world.process.starts).toBeGreaterThan(KILLS);
  }, 280_000);
});
