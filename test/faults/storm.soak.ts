import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { registerPasskey } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import type { RunWrite } from '../support/fault-proxy.ts';
import {
  addBranch,
  crowdMember,
  crowdRepository,
  type FaultWorld,
  type NewPull,
  SHORT_WAITS,
  type StoredApproval,
  startFaultWorld,
} from '../support/fault-world.ts';
import type { Answer, Pull, Session } from '../support/product.ts';
import { seeded } from '../support/seeded.ts';
import { LONG_PATIENCE_MS, until } from '../support/until.ts';
import { createDeploymentStorm, type DeploymentStorm } from './deployment-storm.ts';

/** One in `twinEvery` pull requests has the same head as an earlier one. */
const STORM = {
  repositories: 10,
  pulls: 200,
  people: 8,
  attemptsEach: 20,
  rounds: 10,
  kills: 10,
  storeKills: 5,
  twinEvery: 20,
  interfering: 0.1,
  deciding: 0.5,
};
/** STORM_SEED sets other seeds, separated by commas, such as those of a storm that failed. */
const SEEDS = process.env.STORM_SEED?.split(',').map(Number) ?? [1, 2, 3].map(() => randomInt(2 ** 31));
const LONGEST_MS = 20 * 60_000;

/**
 * How soon after a change a green is wrong, and how long one may stay, as parts of how long the storm took: a busy machine
 * makes both longer. A storm alone on two cores takes 100 seconds. docs/reliability.md says what the limits mean.
 */
const LIMITS = { judged: 0.1, repaired: 0.3 };
/** Instead of half a minute and five. */
const WATCHES = { watchEveryMs: 1_000, reconcileEveryMs: 6_000 };

/** Before a person tries again. */
const SHORTEST_PAUSE_S = 0.3;
const LONGEST_PAUSE_S = 2;

/** A pull request of the storm, with all heads that it has had. */
type Known = {
  repo: string;
  number: number;
  branch: string;
  fork: string | undefined;
  heads: string[];
  state: PullState;
};
type ShownPull = Pull & { state: string; base: { repo: { id: number; owner: { id: number } } } };
type Person = { session: Session; key: SoftwareAuthenticator };
type Installed = { id: number; permissions: object; events: string[] };
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
let states: PullState[];
let deployments: DeploymentStorm;
let groups: QueuedGroup[];
/** The groups that are still in the queue. */
let queue: { head: string; one: Known }[];
let confirmed: Approved[];
let outcomes: Record<string, number>;
let installation: number;
/** The repository that is in the other organization. */
let away: string | undefined;
/** The number of completed steps. */
let done: number;
let isOver: boolean;
let turn: Promise<unknown>;

const admin = <T = unknown>(method: string, path: string, body?: object) =>
  world.asAdmin<T>(method, path, body);
const pathOf = (repo: string) => `/repos/octo-org/${repo}`;

async function begin(seed: number): Promise<void> {
  random = seeded(seed);
  [known, states, groups, confirmed, outcomes, done, isOver] = [[], [], [], [], {}, 0, false];
  [queue, away, turn] = [[], undefined, Promise.resolve()];
  const writes = { ...SHORT_WAITS.writes, minuteMs: 10_000, hourMs: 10_000 };
  world = await startFaultWorld({
    random: seeded(seed + 1),
    members: STORM.people,
    repositories: STORM.repositories - 1,
    isGating: true,
    waits: { ...SHORT_WAITS, ...WATCHES, writes },
  });
  installation = world.github.facts.installation;
  deployments = createDeploymentStorm({
    world,
    random: () => random(),
    branches: () => known.filter(({ repo, fork }) => repo === 'hello' && !fork).map(({ branch }) => branch),
    installation: () => installation,
    outcomes,
  });
  world.process.start();
  const repositories = Array.from({ length: STORM.repositories - 1 }, (_, index) =>
    crowdRepository(index + 1),
  );
  await Promise.all(['hello', ...repositories].map((repo) => addBranch(world, pathOf(repo), 'release')));
  await admin('POST', `${pathOf('hello')}/forks`, {});
  const [first] = await world.openPulls('hello');
  if (first) await remember({ repo: 'hello', branch: first.head.ref, fork: undefined }, first.number);
  await world.process.ready();
  // OTP Guard looks only at repositories that asked before, or whose environments it has read.
  await deployments.changes.releaseAgain();
  await until('the first report', () => world.proxy.reviewWrites.length > 0);
  // One after the other: the product waits for GitHub only shortly here, and on a busy machine eight take longer.
  people = [];
  while (people.length < STORM.people) {
    const session = await world.signIn(crowdMember(people.length + 1));
    people.push({ session, key: await registerPasskey(world, session) });
  }
}

/** One change at a time, so that we know at which instant each pull request had which head and base. */
function inTurn(work: () => Promise<unknown>): Promise<unknown> {
  const mine = turn.then(work);
  turn = mine.catch(() => undefined);
  return mine.finally(() => {
    done += 1;
  });
}

/** Notes what GitHub shows of a pull request after a change. */
async function readState({ repo, number }: Pick<Known, 'repo' | 'number'>): Promise<PullState> {
  const { head, base, state } = await admin<ShownPull>('GET', `${pathOf(repo)}/pulls/${number}`);
  const { id: repoId, owner } = base.repo;
  const times = { since: Date.now(), until: Number.POSITIVE_INFINITY };
  const seen = {
    ...times,
    repoId,
    orgId: owner.id,
    number,
    head: head.sha,
    base: base.ref,
    open: state === 'open',
  };
  states.push(seen);
  return seen;
}

async function remember(from: Pick<Known, 'repo' | 'branch' | 'fork'>, number: number): Promise<void> {
  const state = await readState({ ...from, number });
  known.push({ ...from, number, heads: [state.head], state });
}

/** Makes a change of these pull requests. */
async function change(changed: Known[], method: string, path: string, body?: object): Promise<void> {
  for (const { state } of changed) state.until = Date.now();
  await admin(method, path, body).catch(refusedInstead);
  for (const one of changed) {
    one.state = await readState(one);
    if (one.heads.at(-1) !== one.state.head) one.heads.push(one.state.head);
  }
}

/** Resolves when this part of all steps is done, from 0 to 1; rejects if the storm ends earlier. */
const whenDone = (part: number) =>
  new Promise<void>((go, giveUp) => {
    const changes = STORM.rounds * Object.keys(CHANGES).length;
    const total = STORM.pulls + changes + STORM.people * STORM.attemptsEach;
    const waiting = setInterval(() => {
      if (done < part * total && !isOver) return;
      clearInterval(waiting);
      if (isOver) giveUp(new Error('The storm is over.'));
      else go();
    }, 10);
  });

async function openAll(): Promise<void> {
  for (let at = 1; at < STORM.pulls; at += 1) {
    const repo = at % STORM.repositories === 0 ? 'hello' : crowdRepository(at % STORM.repositories);
    // Opens the first ones immediately, and the others in the course of the storm.
    await whenDone((at / STORM.pulls) * 0.9 - 0.1);
    const isTwin = at > STORM.repositories && at % STORM.twinEvery < 1;
    // From the fork, hello gets pairs of pull requests with one head.
    const fork = !isTwin && repo === 'hello' && at % 2 === 0 ? 'octocat' : undefined;
    if (isTwin) await inTurn(() => openTwin(at));
    else await inTurn(() => open(repo, { branch: `change-${at}`, fork }));
    if (fork) await inTurn(() => open(repo, { branch: `change-${at}`, base: 'release', isNew: false, fork }));
  }
}

async function open(repo: string, input: NewPull): Promise<void> {
  const { number } = await world.openPullIn(repo, input);
  await remember({ repo, branch: input.branch, fork: input.fork }, number);
}

/** The same head as another pull request's, into the same base or into another one. */
async function openTwin(at: number): Promise<void> {
  const one = pickApproved();
  if (random() < 0.5) await open(one.repo, { branch: `twin-${at}`, head: one.heads.at(-1) });
  else await openIntoRelease(one);
}

const openIntoRelease = ({ repo, branch, fork }: Known) =>
  open(repo, { branch, base: 'release', isNew: false, fork }).catch(refusedInstead);

/** Mostly an approved one, because changes of these matter most. */
function pickApproved(): Known {
  const own = known.filter(({ fork }) => !fork);
  const approved = own.filter(({ state }) => confirmed.some(({ head }) => state.open && head === state.head));
  return pick(approved.length > 0 && random() < 0.7 ? approved : own);
}

/** Acts of people and owners on GitHub. */
const CHANGES = {
  push: (one: Known) => change([one], 'PUT', `${pathOf(one.repo)}/pulls/${one.number}/update-branch`),
  pushAgain: (one: Known) => CHANGES.push(one),
  close: (one: Known) => edit(one, { state: 'closed' }),
  reopen: (one: Known) => edit(one, { state: 'open' }),
  retarget: (one: Known) => edit(one, { base: one.state.base === 'main' ? 'release' : 'main' }),
  retargetAgain: (one: Known) => CHANGES.retarget(one),
  async rerun({ repo, heads }: Known) {
    const [run] = await world.ownRuns(repo, heads.at(-1) ?? '', 'latest');
    if (run) await admin('POST', `${pathOf(repo)}/check-runs/${run.id}/rerequest`);
  },
  async rename({ repo }: Known) {
    const { name } = await admin<{ name: string }>('GET', pathOf(repo));
    await admin('PATCH', pathOf(repo), { name: name === repo ? `${repo}-renamed` : repo });
  },
  async transfer({ repo }: Known) {
    const moved = away ?? repo;
    const new_owner = away === undefined ? 'other-org' : 'octo-org';
    away = away === undefined ? repo : undefined;
    const path = `${pathOf(moved)}/transfer`;
    await change(
      known.filter((one) => one.repo === moved),
      'POST',
      path,
      { new_owner },
    );
  },
  async reinstall() {
    await admin('DELETE', `/_local/installations/${installation}`);
    const account = { account: 'octo-org' };
    const made = await admin<Installed>('POST', '/_local/installations', account);
    installation = made.id;
    const permissions = { ...made.permissions, actions: 'read', deployments: 'write' };
    const events = [...made.events, 'deployment_protection_rule'];
    await admin('PUT', `/_local/installations/${installation}`, { permissions, events });
  },
  revokeTokens: () => admin('DELETE', `/_local/installations/${installation}/tokens`),
  enqueue: (one: Known) => enqueue(one),
  enqueueAgain: (one: Known) => enqueue(one),
  leaveQueue: () => leaveQueue(),
  release: () => deployments.changes.release(),
  releaseAgain: () => deployments.changes.releaseAgain(),
  repeatRelease: () => deployments.changes.repeat(),
  cancelRelease: () => deployments.changes.cancel(),
  bypass: () => deployments.changes.bypass(),
  failReviews: () => deployments.changes.failReviews(),
  changePolicy: () => deployments.changes.releasePolicy(),
};

const edit = (one: Known, body: object) =>
  change([one], 'PATCH', `${pathOf(one.repo)}/pulls/${one.number}`, body);

async function enqueue(one: Known): Promise<void> {
  const body = { pull_number: one.number };
  const path = `/_local/merge-queue/octo-org/${one.repo}`;
  type Group = { head_sha: string; base_sha: string };
  const group = await admin<Group>('POST', path, body).catch(refusedInstead);
  if (!group) return;
  const pull = { ...one.state, since: 0, until: Number.POSITIVE_INFINITY };
  groups.push({ head: group.head_sha, baseSha: group.base_sha, pull });
  queue.push({ head: group.head_sha, one });
}

/** The oldest group merges if its check passed, else it's removed. */
async function leaveQueue(): Promise<void> {
  const [oldest] = queue.splice(0, 1);
  if (!oldest) return;
  const { one, head } = oldest;
  const [run] = await world.ownRuns(one.repo, head, 'latest');
  const reason = run?.conclusion === 'success' ? 'merged' : 'dequeued';
  const body = { pull_number: one.number, reason };
  await admin('DELETE', `/_local/merge-queue/octo-org/${one.repo}`, body).catch(refusedInstead);
  if (reason === 'merged') await edit(one, { state: 'closed' });
}

async function changeAll(): Promise<void> {
  const all = Array.from({ length: STORM.rounds }, () => Object.values(CHANGES)).flat();
  for (let count = all.length; count > 0; count -= 1) {
    await whenDone((1 - count / (STORM.rounds * Object.keys(CHANGES).length)) * 0.9);
    const [next] = all.splice(below(all.length), 1);
    await inTurn(async () => next?.(pickApproved()));
  }
  if (away !== undefined) await inTurn(() => CHANGES.transfer(pickApproved()));
}

/** GitHub refuses, for example because the pull request is already closed. */
function refusedInstead(error: Error): undefined {
  if (!/: (404|422) /.test(error.message)) throw error;
}

async function approveOften(person: Person): Promise<void> {
  // Without a confirmed approval, the storm would show nothing.
  const mostAttempts = () => (confirmed.length > 0 ? 1 : 5) * STORM.attemptsEach;
  for (let attempt = 0; attempt < mostAttempts(); attempt += 1) {
    const one = pick(known);
    const head = one.heads.at(-1) ?? '';
    let outcome = '';
    // People try again if GitHub doesn't answer.
    for (let tries = 0; tries < 3 && !/^(200|params 4)/.test(outcome); tries += 1) {
      await world.process.ready();
      outcome = await approveOnce(person, one, head).catch(() => 'cut off');
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    if (random() < STORM.deciding) await decide(person);
    if (outcome.startsWith('200')) {
      confirmed.push({ repo: one.repo, pr: one.number, head, by: person.session.login });
      if (confirmed.length % 4 === 2) await withdraw(person.session, one, head).catch(() => undefined);
    }
    done += 1;
  }
}

/** How often the product looked for releases that wait. */
const countLooks = () =>
  world.proxy.requests.filter((request) => /^GET \/repos\/.*status=waiting/.test(request)).length;

async function decide(person: Person): Promise<void> {
  for (let tries = 0; tries < 2; tries += 1) {
    const outcome = await deployments.decide(person).catch(() => 'deploy cut off');
    if (!outcome) return;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (outcome === 'deploy 200') return;
  }
}

const targetOf = ({ repo, number: pr, state: { repoId: repoID } }: Known, head: string) => {
  const { orgID: ownerID, org: owner } = world.github.facts;
  return { installation, owner, ownerID, repo, repoID, pr, head };
};

async function withdraw(session: Session, one: Known, head: string): Promise<void> {
  const body = { ...targetOf(one, head), accessToken: session.accessToken };
  const { status } = await world.call('/github-withdraw-approval', body, session);
  outcomes[`withdraw ${status}`] = (outcomes[`withdraw ${status}`] ?? 0) + 1;
}

/** The outcome as the person sees it. */
async function approveOnce({ session, key }: Person, one: Known, head: string): Promise<string> {
  const params = targetOf(one, head);
  const { accessToken } = session;
  const requested = await world.call(
    '/github-check-webauthn-params',
    { type: 'webauthn', ...params, accessToken },
    session,
  );
  if (requested.status !== 200) return refused('params', requested);
  const { options } = requested.json<{ options: { challenge: string } }>();
  const body = { params, authResponse: key.get(options), accessToken };
  const interfered = interfere(one);
  try {
    const answer = await world.call('/github-check-webauthn', body, session);
    if (answer.status !== 200) return await refused('approve', answer);
    return answer.json<{ reported: boolean }>().reported ? '200' : '200, reported later';
  } finally {
    await interfered;
  }
}

/** Waits as the answer says: one limit of GitHub's would otherwise use up all tries of everybody. */
async function refused(step: string, { status, headers }: Answer): Promise<string> {
  const seconds = Math.min(Number(headers.get('retry-after') ?? SHORTEST_PAUSE_S), LONGEST_PAUSE_S);
  await new Promise((go) => setTimeout(go, seconds * 1_000));
  return `${step} ${status}`;
}

/** Sometimes changes what is approved at this moment. */
async function interfere(one: Known): Promise<void> {
  if (random() > STORM.interfering) return;
  await new Promise((go) => setTimeout(go, random() * 400));
  await inTurn(() => (random() < 0.5 ? CHANGES.retarget(one) : openIntoRelease(one)));
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

const keyOf = (...parts: (string | number)[]) => parts.join(' ');

/** Describes each difference between GitHub's check runs and the stored approvals. */
async function faultsAtGitHub(stored: StoredApproval[]): Promise<string[]> {
  const valid = stored.filter(({ withdrawn }) => withdrawn === '');
  const approvals = new Set(
    valid.map(({ repo_id, org_id, base, head }) => keyOf(repo_id, org_id, base, head)),
  );
  const approvedHeads = new Set(stored.map(({ head }) => head));
  const faults: string[] = [];
  for (const repo of new Set(known.map((one) => one.repo))) {
    const { id, owner } = await admin<{ id: number; owner: { id: number } }>('GET', pathOf(repo));
    const open = await world.openPulls(repo);
    for (const head of new Set(open.map((pull) => pull.head.sha))) {
      const pulls = open.filter((pull) => pull.head.sha === head);
      const isApproved = pulls.every((pull) => approvals.has(keyOf(id, owner.id, pull.base.ref, head)));
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
  beforeAll(() => begin(seed));
  afterAll(async () => {
    isOver = true;
    await world?.stop();
  });

  const stormUntilTheEnd = async () => {
    world.proxy.storm({
      api: { failBefore: 0.04, failAfter: 0.03, slow: 0.05, cutBefore: 0.03, cutAfter: 0.03, limited: 0.005 },
      webhooks: { drop: 0.2, fail: 0.1, double: 0.1, delayMs: 1_000 },
    });
    await Promise.all([
      openAll(),
      changeAll(),
      ...people.map(approveOften),
      killOften(STORM.kills, killProduct),
      killOften(STORM.storeKills, killStore),
    ]);
    world.proxy.calm();
    await world.proxy.settled();
    await world.process.ready();
  };

  it(
    'shows no green that a merge could use wrongly, and leaves each head with one correct check run and all approvals',
    async () => {
      const began = Date.now();
      await stormUntilTheEnd();
      const tookMs = Date.now() - began;
      const { report, log } = await world.sweep();
      const isSettled = async () => {
        const looked = countLooks();
        await until('looks at the releases that wait', () => countLooks() >= looked + 3);
        return deployments.isSettled(people);
      };
      await until('the reviews', isSettled, LONG_PATIENCE_MS).catch(() => undefined);
      await world.process.stop();
      const { given, policies } = await world.stored();
      const stored = given.filter(({ deployment }) => deployment === '');
      const { runWrites: writes } = world.proxy;
      const history = {
        writes,
        states,
        groups,
        approvals: stored,
        downs: world.process.downs,
        now: Date.now(),
      };
      const greens = findWrongGreens(history, {
        judgedMs: LIMITS.judged * tookMs,
        repairedMs: LIMITS.repaired * tookMs,
      });
      const ofDeployments = await deployments.faults(given, policies);
      const wrong = [...greens, ...(await faultsAtGitHub(stored)), ...ofDeployments];
      if (wrong.length > 0 || deployments.confirmed.length === 0) {
        const { faults } = world.proxy;
        const heads = wrong.flatMap((fault) => fault.match(/[\da-f]{40}/g) ?? []);
        const isAbout = (text: string) => heads.some((head) => text.includes(head));
        const about = [...writes, ...states, ...groups, ...stored].map((one) => JSON.stringify(one));
        process.stderr.write(
          `storm: STORM_SEED=${seed} ${JSON.stringify({ tookMs, outcomes, faults, report })} ${log}\n` +
            `${[...about, ...world.process.stderr.split('\n')].filter(isAbout).join('\n')}\n`,
        );
      }
      expect(wrong).toEqual([]);

      const kept = new Set(stored.map(({ pr, head }) => `${pr} ${head}`));
      expect(confirmed.filter(({ pr, head }) => !kept.has(`${pr} ${head}`))).toEqual([]);
      expect(confirmed).not.toEqual([]);
      expect(deployments.confirmed).not.toEqual([]);
      expect(world.process.starts).toBeGreaterThan(STORM.kills);
    },
    LONGEST_MS,
  );
});

/** A pull request between two changes: from GitHub's answer to the first until the second was sent. */
type PullState = {
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
type QueuedGroup = { head: string; baseSha: string; pull: PullState };

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

/**
 * Finds each green that a merge could use wrongly, at any instant of the history. A head is approved at an instant
 * if each open pull request with it has a valid approval for its repository and base. Nobody can read pull requests and
 * approvals at one instant, so a success is right if each pull request that was open at some instant of the `judgedMs`
 * before it was sent has an approval that was valid at some instant of them. It must be taken away at most `repairedMs`
 * after the head was approved for the last time.
 */
function findWrongGreens(history: History, limits: Limits): string[] {
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
    const instants = [from, sent, ...changes.flatMap((time) => [time - 1, time])];
    const readable = validDuring(valid, from, sent);
    const wasRight = instants.some(
      (time) => time >= from && time <= sent && lackingAt(time, known, readable) === false,
    );
    const name = `run ${run.id} of ${run.head_sha}`;
    const faults = wasRight ? [] : [`${name} passed unapproved`];
    if (group) {
      const isOnGroup = groups.some((one) => one.head === group.baseSha);
      const hasPassed = greens.some((one) => one.run.head_sha === group.baseSha && one.at <= at);
      return isOnGroup && !hasPassed ? [...faults, `${name} passed on a group that had not`] : faults;
    }
    const newer = writes.filter((one) => one.isNew && one.run.head_sha === head && one.run.id > run.id);
    const end = Math.min(history.now, ...newer.map((one) => one.at));
    const isDown = (time: number) => history.downs.some(({ since, until }) => since <= time && time < until);
    const during = [...changes, ...history.downs.flatMap(({ since, until }) => [since, until])];
    const longest = longestWrong(
      [at, ...during.filter((time) => time > at && time < end), end],
      (time) => lacking(time) && (isDown(time) ? 'down' : true),
    );
    return longest > limits.repairedMs ? [...faults, `${name} stayed for ${longest} ms`] : faults;
  });
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
