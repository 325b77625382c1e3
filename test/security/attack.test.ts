import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PullRequest } from '../../src/approvals/ports.ts';
import { retryUnreported } from '../../src/approvals/reconcile/retry-unreported.ts';
import { removeAuthenticator } from '../../src/authenticators/remove-authenticator.ts';
import type { BatchParamsAnswer } from '../../src/contract/approvals.ts';
import type { DeployParamsAnswer } from '../../src/contract/deployments.ts';
import type { EnrolmentAnswer } from '../../src/contract/enrolment.ts';
import type { Statement } from '../../src/contract/statement.ts';
import { stepUpAction } from '../../src/contract/step-up.ts';
import type { WorkflowRun } from '../../src/deployments/ports.ts';
import { retryDeployments } from '../../src/deployments/review/retry-deployments.ts';
import { AppError } from '../../src/shared/app-error.ts';
import { sha256OfJson } from '../../src/shared/crypto.ts';
import type { SoftwareAuthenticator, Twist } from '../support/authenticator.ts';
import { createPicker, type Picker, words } from './choices.ts';
import {
  askAbout,
  BASES,
  call,
  createWorld,
  ENVIRONMENTS,
  HEADS,
  type Holding,
  isGreen,
  keyOf,
  MALLORY,
  ORGS,
  orgOf,
  PEOPLE,
  pullAt,
  REPOS,
  startRun,
  syncHead,
  tokenOf,
  type World,
} from './world.ts';

// A thief holds every session, every GitHub token and everything that was ever sent, but only Mallory's authenticators.
// Each attack has another seed, which the test's name says. ATTACK_SEED and ATTACK_ATTEMPTS repeat or lengthen it.

const ATTEMPTS = Number(process.env.ATTACK_ATTEMPTS ?? (process.env.SOAK ? 200_000 : 2_000));
const SEED = Number(process.env.ATTACK_SEED ?? randomInt(2 ** 31));
const ATTEMPTS_A_RUN = 100;
const LONGEST_MS = Math.max(600_000, ATTEMPTS * 20);
const STARTED = 'jobs were started';
const SAME_DIGITS = 'two registrations with the same digits';

type Answer = { challenge: string; options: { challenge: string }; statement: Statement };

/** The attack's knowledge so far, and the approvals that people meant. */
type Attack = {
  world: World;
  /**
   * `repo:head:base:person` of each approval that a person meant; of a denial, with the reason at the end. Of a decision
   * about a deployment, with the run, the attempt and the environment, too.
   */
  meant: Set<string>;
  assertions: Seen[];
  challenges: string[];
  codes: string[];
  credentials: Set<string>;
  /** The newcomer's authenticators that an owner signed a vouch for, after they compared the digits. */
  vouched: Set<string>;
  /** The signed vouches, each for one authenticator. */
  vouches: { authenticatorID: string; stepUp: object }[];
  /** Signatures for several approvals together, as their page sends it. */
  batches: { orgID: number; accessToken: string; authResponse: object }[];
  approvals: number;
  decisions: number;
  starts: number;
  outcomes: Map<string, number>;
};

/** An assertion, and the call that it was meant for. */
type Seen = {
  response: object;
  person: Holding['person'];
  params: ReturnType<typeof targetOf> | undefined;
  /** Why the person denied or rejected it. */
  reason?: string;
  /** The deployment that it's about; undefined for a pull request. */
  deployment?: ReturnType<typeof runTargetOf>;
};

type Step = (attack: Attack, pick: Picker) => Promise<void>;

const meaning = (repoId: number, head: string, base: string, githubId: number, reason = '') =>
  [repoId, head, base, githubId, reason].join(':');

const REASONS = ['It drops a table.', 'It has a back door.'];

const targetOf = ({ repo, number, head }: PullRequest) => ({
  installation: orgOf(repo.ownerId).installation,
  owner: repo.owner,
  ownerID: repo.ownerId,
  repo: repo.name,
  pr: number,
  head,
});

const runTargetOf = ({ id: run, repoId, ownerId, attempt }: WorkflowRun, environment: string) => {
  const { login: owner, installation } = orgOf(ownerId);
  const repo = REPOS.find(({ id }) => id === repoId)?.name ?? '';
  return { installation, owner, ownerID: ownerId, repo, run, environment, attempt };
};

const meaningOfRun = (run: WorkflowRun, environment: string, githubId: number, reason = '') =>
  [meaning(run.repoId, run.head, run.ref, githubId, reason), run.id, run.attempt, environment].join(':');

const openPulls = ({ world }: Attack) => (world.pulls.all ?? []).filter(({ open }) => open);

/** A person approves what their page shows: the pull request as it is now. */
const approveHonestly: Step = async (attack, pick) => {
  const holding = pick.one(attack.world.holdings.filter(({ person }) => person.githubId !== MALLORY));
  const pull = pick.one(openPulls(attack).filter(({ repo }) => repo.ownerId === holding.org));
  if (!pull) return;
  const { person, app, key } = holding;
  const target = targetOf(pull);
  const mean = () => attack.meant.add(meaning(pull.repo.id, pull.head, pull.base, person.githubId));
  if (pick.chance(0.3)) {
    mean();
    const otp = app.codeAt(attack.world.clock.now().getTime());
    const answer = await send(attack, '/github-totp-check', person, { ...target, base: pull.base, otp });
    // A code signs nothing: a thief who holds back an unused one can use it. So only used ones are seen.
    if (!(answer instanceof Error)) attack.codes.push(otp);
    return;
  }
  const options = await begin(attack, '/github-check-webauthn-params', person, target);
  if (!options) return;
  // The page refuses a statement about anything else.
  expect(options.statement).toMatchObject({ head: pull.head, base: pull.base, repo: { id: pull.repo.id } });
  if (pick.chance(0.2)) return;
  mean();
  const authResponse = key.get(options.options);
  attack.assertions.push({ response: authResponse, person, params: target });
  // The rest never reaches the product, because the thief holds it back.
  if (pick.chance(0.5))
    await send(attack, '/github-check-webauthn', person, { params: target, authResponse });
};

/** A person approves with one touch several approvals that their page shows. */
const approveBatchHonestly: Step = async (attack, pick) => {
  const { person, org, key } = pick.one(
    attack.world.holdings.filter((one) => one.person.githubId !== MALLORY),
  );
  const shown = openPulls(attack).filter(({ repo }) => repo.ownerId === org && pick.chance(0.8));
  const about = { org: orgOf(org).login, orgID: org };
  const items = shown.map(targetOf);
  const answer = await begin<BatchParamsAnswer>(attack, '/approve-batch-params', person, { ...about, items });
  if (!answer) return;
  const statements = answer.items.flatMap((item) => ('statement' in item ? [item.statement] : []));
  expect(answer.statement.approvals).toEqual(statements.map(sha256OfJson));
  for (const { repo, pr, head, base } of statements) {
    expect(shown).toContainEqual(expect.objectContaining({ number: pr, head, base }));
    attack.meant.add(meaning(repo.id, head, base, person.githubId));
  }
  const response = key.get(answer.options);
  attack.assertions.push({ response, person, params: undefined });
  attack.batches.push({ ...about, accessToken: tokenOf(person), authResponse: response });
  if (pick.chance(0.5)) await send(attack, '/approve-batch', person, { ...about, authResponse: response });
};

/** A person denies what their page shows, with a reason that the thief reads. */
const denyHonestly: Step = async (attack, pick) => {
  const { person, org, app, key } = pick.one(
    attack.world.holdings.filter((one) => one.person.githubId !== MALLORY),
  );
  const pull = pick.one(openPulls(attack).filter(({ repo }) => repo.ownerId === org));
  if (!pull) return;
  const params = targetOf(pull);
  const reason = pick.one(REASONS);
  const mean = () => attack.meant.add(meaning(pull.repo.id, pull.head, pull.base, person.githubId, reason));
  if (pick.chance(0.2)) {
    mean();
    const otp = app.codeAt(attack.world.clock.now().getTime());
    const answer = await sendDenial(attack, person, { params, reason, otp });
    if (!(answer instanceof Error)) attack.codes.push(otp);
    return;
  }
  const answer = await begin(attack, '/deny-params', person, { ...params, reason });
  if (!answer) return;
  mean();
  const authResponse = key.get(answer.options);
  attack.assertions.push({ response: authResponse, person, params, reason });
  if (pick.chance(0.5)) await sendDenial(attack, person, { params, reason, authResponse });
};

/** The thief sends a denial with parts from all that was seen. */
const attackDenial: Step = async (attack, pick) => {
  const { person, params } = mixedTarget(attack, pick);
  const reason = pick.one(REASONS);
  await begin(attack, '/deny-params', person, { ...params, reason });
  const challenge = pick.chance(0.5) ? attack.challenges.at(-1) : pick.one(attack.challenges);
  const authResponse = anAssertion(attack, pick, { person, challenge });
  const otp = pick.one(attack.codes) ?? '000000';
  await sendDenial(attack, person, { params, reason, ...(pick.chance(0.2) ? { otp } : { authResponse }) });
};

async function sendDenial(attack: Attack, person: Holding['person'], body: object): Promise<unknown> {
  const answer = await send(attack, '/deny', person, body);
  // It's stored even if GitHub couldn't be updated; the retry does that.
  attack.world.stage.heal();
  await retryUnreported(attack.world, new Map(), 0);
  return answer;
}

/** A person approves or rejects a deployment, as their page shows it. */
const decideHonestly: Step = async (attack, pick) => {
  const { world } = attack;
  const { person, org, app, key } = pick.one(world.holdings.filter((one) => one.person.githubId !== MALLORY));
  const run = pick.one(world.workflowRuns.runs.filter(({ ownerId }) => ownerId === org).slice(-4));
  const environment = pick.one(ENVIRONMENTS);
  const params = runTargetOf(run, environment);
  const decided = pick.chance(0.8) ? {} : { decision: 'reject', reason: pick.one(REASONS) };
  const mean = () => attack.meant.add(meaningOfRun(run, environment, person.githubId, decided.reason));
  if (pick.chance(0.2)) {
    mean();
    const otp = app.codeAt(world.clock.now().getTime());
    const answer = await send(attack, '/deploy-check', person, { params, ...decided, otp });
    if (!(answer instanceof Error)) attack.codes.push(otp);
    return;
  }
  const answer = await begin<DeployParamsAnswer>(attack, '/deploy-params', person, { ...params, ...decided });
  if (!answer) return;
  const { id, attempt, head, ref } = run;
  // The page refuses a statement about anything else.
  expect(answer.statement).toMatchObject({
    run: id,
    attempt,
    environment,
    head,
    ref,
    repo: { id: run.repoId },
  });
  if (pick.chance(0.2)) return;
  mean();
  const authResponse = key.get(answer.options);
  const { reason } = decided;
  attack.assertions.push({
    ...{ response: authResponse, person, params: undefined, deployment: params },
    ...(reason !== undefined && { reason }),
  });
  if (pick.chance(0.5)) await send(attack, '/deploy-check', person, { params, ...decided, authResponse });
  // The thief holds the others back, until the run is another one.
  else if (pick.chance(0.7)) for (const step of [changeRuns, attackDeployment]) await step(attack, pick);
};

/** The thief sends a decision with parts from all that was seen, or what a person signed with one part changed. */
const attackDeployment: Step = async (attack, pick) => {
  const { runs } = attack.world.workflowRuns;
  const mixed = runTargetOf(pick.one(runs), pick.one(ENVIRONMENTS));
  for (const part of Object.keys(mixed) as (keyof typeof mixed)[])
    if (pick.chance(0.1)) Object.assign(mixed, { [part]: runTargetOf(pick.one(runs), 'staging')[part] });
  const reason = pick.chance(0.7) ? undefined : pick.one(REASONS);
  const holdings = attack.world.holdings.filter(({ org }) => org === mixed.ownerID);
  const person = pick.chance(0.9) ? pick.one(holdings).person : pick.one(PEOPLE);
  const accessToken = pick.chance(0.95) ? tokenOf(person) : tokenOf(pick.one(PEOPLE));
  const decided = reason === undefined ? {} : { decision: 'reject', reason };
  const decisions = attack.assertions.filter(({ deployment }) => deployment).slice(-3);
  const seen = pick.one(pick.chance(0.7) ? decisions : attack.assertions);
  if (seen && pick.chance(0.6)) {
    const params: Partial<typeof mixed> = { ...(seen.deployment ?? mixed) };
    const part = pick.one(Object.keys(mixed)) as keyof typeof mixed;
    if (pick.chance(0.4)) Object.assign(params, { [part]: mixed[part] });
    const now = runs.find(({ id }) => id === params.run);
    if (now && pick.chance(0.6)) params.attempt = now.attempt;
    const asSeen = seen.reason === undefined ? {} : { decision: 'reject', reason: seen.reason };
    const body = { params, ...(pick.chance(0.7) ? asSeen : decided), authResponse: seen.response };
    await send(attack, '/deploy-check', pick.chance(0.8) ? seen.person : person, body);
    return;
  }
  await begin(attack, '/deploy-params', person, { ...mixed, ...decided, accessToken });
  const challenge = pick.chance(0.5) ? attack.challenges.at(-1) : pick.one(attack.challenges);
  const otp = pick.one(attack.codes) ?? '000000';
  const authResponse = anAssertion(attack, pick, { person, challenge });
  const { attempt, ...without } = mixed;
  const params = pick.chance(0.9) ? { ...without, attempt } : without;
  const proof = pick.chance(0.2) ? { otp } : { authResponse };
  await send(attack, '/deploy-check', person, { params, ...decided, ...proof, accessToken });
};

/** Runs are started, also of forks, and started again; GitHub asks twice, or says what isn't so. */
const changeRuns: Step = async (attack, pick) => {
  const { world } = attack;
  world.stage.heal();
  const { runs, listed } = world.workflowRuns;
  const signed = attack.assertions.at(-1)?.deployment?.run;
  const run = runs.find(({ id }) => id === signed && pick.chance(0.5)) ?? pick.one(runs);
  const what = pick.chance(0.3) ? 1 : pick.below(7);
  const ask = (change: Parameters<typeof askAbout>[2] = { environment: pick.one(ENVIRONMENTS) }) =>
    askAbout(world, run, change).catch((error: unknown) => expect(error).toBeInstanceOf(AppError));
  if (what === 0) {
    const { id: repoId, ownerId } = pick.one(REPOS);
    const isOwn = pick.chance(0.8);
    await startRun(world, { repoId, ownerId, head: pick.one(HEADS), ref: pick.one(BASES), isOwn });
  }
  if (what === 1) {
    run.attempt += 1;
    run.hasEnded = false;
    listed.set(run.id, [...ENVIRONMENTS]);
    for (const environment of ENVIRONMENTS) await ask({ environment });
  }
  // A later wave, in which some jobs of an environment that was reviewed wait again.
  if (what === 2 && !run.hasEnded) listed.set(run.id, [...ENVIRONMENTS]);
  if (what === 3) {
    run.hasEnded = true;
    listed.set(run.id, []);
  }
  const other = pick.one(runs);
  if (what === 4) await ask({ head: other.head });
  if (what === 5) {
    const { owner, repo, installation } = runTargetOf(other, '');
    const id = pick.one(REPOS).id;
    await ask({ repo: { id, owner, name: repo, installation }, environment: pick.one(ENVIRONMENTS) });
  }
  if (what === 6) await Promise.all([ask(), ask(), ask()]);
  await ask();
  await retryDeployments(world, new Map()).catch((error: unknown) => expect(error).toBeInstanceOf(AppError));
  if (pick.chance(0.2)) {
    const name = pick.one(words('approvals.add workflowRuns.review workflowRuns.get workflowRuns.pending'));
    const error = new AppError(name === 'approvals.add' ? 'storeUnavailable' : 'githubUnavailable');
    world.stage.fail(name, error, { when: pick.one(['before', 'after']) });
  }
};

/** The thief sends what a person signed for a batch, or begins one of all that can be mixed. */
const attackBatch: Step = async (attack, pick) => {
  const person = pick.one(PEOPLE);
  const { id: orgID, login: org } = pick.one(ORGS);
  const items = [1, 2, 3].map(() => mixedTarget(attack, pick).params);
  await begin(attack, '/approve-batch-params', person, { org, orgID, items });
  const seen = pick.one(attack.batches.slice(pick.chance(0.5) ? -2 : 0));
  const holder = PEOPLE.find((one) => tokenOf(one) === seen?.accessToken);
  if (seen && holder && pick.chance(0.6)) {
    const change = pick.chance(0.8) ? {} : { orgID };
    await send(attack, '/approve-batch', pick.chance(0.8) ? holder : person, { ...seen, ...change });
    return;
  }
  const challenge = pick.chance(0.5) ? attack.challenges.at(-1) : pick.one(attack.challenges);
  const authResponse = anAssertion(attack, pick, { person, challenge });
  await send(attack, '/approve-batch', person, { org, orgID, authResponse });
};

/** A person confirms a registration or a removal that the thief began or will send. */
const stepUpHonestly: Step = async (attack, pick) => {
  const { person, org, key } = pick.one(attack.world.holdings);
  const type = pick.one(['register-authenticator', 'delete-authenticator']);
  const authenticatorID = type === 'delete-authenticator' ? 'f'.repeat(15) : undefined;
  const body = { type, org: orgOf(org).login, orgID: org, authenticatorID };
  const options = await begin(attack, '/webauthn-challenge', person, body);
  if (!options) return;
  // A proof for a registration would let the thief register: only those for an unknown record get out.
  if (type === 'delete-authenticator' || person.githubId === MALLORY)
    attack.assertions.push({ response: key.get(options.options), person, params: undefined });
};

/** The thief sends a call with parts from all that was seen. */
const attackApproval: Step = async (attack, pick) => {
  const { person, params } = mixedTarget(attack, pick);
  const accessToken = pick.chance(0.95) ? tokenOf(person) : tokenOf(pick.one(PEOPLE));
  if (pick.chance(0.3)) {
    const seen = pick.chance(0.7) ? pick.one(attack.codes) : undefined;
    const otp = seen ?? String(pick.below(1e6)).padStart(6, '0');
    await send(attack, '/github-totp-check', person, { ...params, base: pick.one(BASES), otp, accessToken });
    return;
  }
  await begin(attack, '/github-check-webauthn-params', person, { ...params, accessToken });
  const challenge = pick.chance(0.5) ? attack.challenges.at(-1) : pick.one(attack.challenges);
  const authResponse = anAssertion(attack, pick, { person, challenge });
  await send(attack, '/github-check-webauthn', person, { params, authResponse, accessToken });
};

/** The thief sends what a person signed, with at most one part of the call changed. */
const replay: Step = async (attack, pick) => {
  const seen = pick.one(attack.assertions.slice(pick.chance(0.5) ? -2 : 0));
  if (!seen?.params) return;
  const pulls = attack.world.pulls.all ?? [];
  const now = pulls.find(({ number, repo }) => number === seen.params?.pr && repo.name === seen.params.repo);
  const other = targetOf(now && pick.chance(0.5) ? now : pick.one(pulls));
  const params = { ...seen.params };
  const part = pick.one(Object.keys(params)) as keyof typeof params;
  if (pick.chance(0.3)) Object.assign(params, { [part]: other[part] });
  if (pick.chance(0.4)) params.head = other.head;
  const person = pick.chance(0.8) ? seen.person : pick.one(PEOPLE);
  const sent = { params, authResponse: seen.response };
  // An approval as a denial, a denial as an approval, and with another reason.
  if (!pick.chance(seen.reason === undefined ? 0.1 : 0.7))
    await send(attack, '/github-check-webauthn', person, sent);
  else
    await sendDenial(attack, person, {
      ...sent,
      reason: seen.reason && pick.chance(0.7) ? seen.reason : REASONS[0],
    });
};

/** Mona registers her own key where she has nothing yet. Octocat vouches for the one whose digits she reads out. */
const enrolHonestly: Step = async (attack, pick) => {
  const { world } = attack;
  const [mona, octocat] = PEOPLE as [Holding['person'], Holding['person']];
  const about = { org: orgOf(9).login, orgID: 9 };
  const params = { label: 'Key', type: 'passkey', ...about };
  const asked = await begin(attack, '/github-register-authenticator-params', mona, params);
  if (!asked) return;
  const pkCreds = keyOf('mona:9').create(asked.options);
  const made = (await send(attack, '/github-register-passkey', mona, { params, pkCreds })) as {
    id: string;
    comparison?: string;
  };
  if (made instanceof Error || made.comparison === undefined) return;
  if (pick.chance(0.3)) await attackEnrolment(attack, pick);
  const { waiting } = (await send(attack, '/organization-enrolment', octocat, about)) as EnrolmentAnswer;
  const found = waiting?.find(({ comparison }) => comparison === made.comparison);
  if (!found) return;
  // One in a million of the thief's has the same digits, and octocat would vouch for it.
  if (found.id !== made.id) {
    attack.outcomes.set(SAME_DIGITS, (attack.outcomes.get(SAME_DIGITS) ?? 0) + 1);
    return;
  }
  if (pick.chance(0.3)) await attackEnrolment(attack, pick);
  const body = { type: 'vouch', authenticatorID: found.id, ...about };
  const options = await begin(attack, '/webauthn-challenge', octocat, body);
  if (!options) return;
  const stepUp = { type: 'vouch', webauthn: keyOf('octocat:9').get(options.options) };
  attack.vouched.add(found.id);
  attack.vouches.push({ authenticatorID: found.id, stepUp });
  attack.assertions.push({ response: stepUp.webauthn, person: octocat, params: undefined });
  // The thief holds the others back.
  if (pick.chance(0.4)) await sendVouch(attack, octocat, { authenticatorID: found.id, stepUp });
  // An owner removed it, or it was lost.
  if (pick.chance(0.7)) {
    const at = world.credentials.stored.findIndex(({ id }) => id === found.id);
    if (at >= 0 && world.credentials.stored[at]?.pending === '') world.credentials.stored.splice(at, 1);
  }
};

const sendVouch = (attack: Attack, person: Holding['person'], vouch: object) =>
  send(attack, '/github-vouch', person, { org: orgOf(9).login, orgID: 9, ...vouch });

/** The thief registers a key for Mona, and tries to make it count with all that was seen. */
const attackEnrolment: Step = async (attack, pick) => {
  const person = pick.one(PEOPLE.filter(({ orgs }) => orgs.includes(9)));
  const about = { org: orgOf(9).login, orgID: 9 };
  const params = { label: 'Mine now', type: 'passkey', ...about };
  const key = keyOf(`stolen:${pick.below(3)}`);
  const stepUp = aProof(attack, pick, person);
  if (pick.chance(0.5)) {
    const options = await begin(attack, '/github-register-authenticator-params', person, params);
    if (!options) return;
    const deviceLink = pick.chance(0.3) ? 'A'.repeat(43) : undefined;
    const pkCreds = key.create(options.options);
    await send(attack, '/github-register-passkey', person, { params, pkCreds, stepUp, deviceLink });
  }
  if (pick.chance(0.1)) await send(attack, '/device-link', person, { ...about, stepUp });
  if (pick.chance(0.1)) {
    await send(attack, '/github-set-policy', person, { ...about, policy: { version: 1 }, stepUp });
    expect(attack.world.policies.saved).toEqual([]);
  }
  const pending = attack.world.credentials.stored.filter((one) => one.pending !== '');
  const target = pick.one(pick.chance(0.8) ? pending : attack.world.credentials.stored);
  if (!target) return;
  const voucher = pick.one(PEOPLE);
  const body = { type: 'vouch', authenticatorID: target.id, ...about };
  await begin(attack, '/webauthn-challenge', voucher, body);
  const seen = pick.one(attack.vouches);
  if (seen && pick.chance(0.5)) {
    const authenticatorID = pick.chance(0.5) ? target.id : seen.authenticatorID;
    await sendVouch(attack, voucher, { ...seen, authenticatorID });
    return;
  }
  const challenge = pick.chance(0.6) ? attack.challenges.at(-1) : pick.one(attack.challenges);
  const webauthn = pick.chance(0.5)
    ? key.get({ challenge: challenge ?? 'AAAA' })
    : anAssertion(attack, pick, { person: voucher, challenge });
  const proof = pick.chance(0.9) ? { webauthn } : { otp: pick.one(attack.codes) ?? '000000' };
  await sendVouch(attack, voucher, { authenticatorID: target.id, stepUp: { type: 'vouch', ...proof } });
};

/** The thief tries to register Mallory's authenticator for another person. */
const attackRegistration: Step = async (attack, pick) => {
  const { person, org } = pick.one(attack.world.holdings.filter((one) => one.person.githubId !== MALLORY));
  const { key, app } = mallorys(attack);
  const params = { label: 'Mine now', type: 'passkey', org: orgOf(org).login, orgID: org };
  const stepUp = aProof(attack, pick, person);
  if (pick.chance(0.3)) {
    const totpValue = app.codeAt(attack.world.clock.now().getTime());
    const body = { ...params, totpSecret: app.base32, totpValue, stepUp };
    await send(attack, '/github-register-totp', person, body);
    return;
  }
  const options = await begin(attack, '/github-register-authenticator-params', person, params);
  if (!options) return;
  const pkCreds = key.create(options.options);
  await send(attack, '/github-register-passkey', person, { params, pkCreds, stepUp });
};

/** The thief takes approvals back, which a session may, and tries to remove authenticators and sessions, which it may not. */
const takeBack: Step = async (attack, pick) => {
  const { world } = attack;
  const { person, org } = pick.one(world.holdings);
  if (pick.chance(0.5)) {
    await send(attack, '/github-withdraw-approval', person, targetOf(pick.one(world.pulls.all ?? [])));
    // It's stored even if GitHub couldn't be updated; the retry does that.
    world.stage.heal();
    await retryUnreported(world, new Map(), 0);
    return;
  }
  const stepUp = aProof(attack, pick, person);
  const memberID = pick.one(PEOPLE).githubId;
  const body = { org: orgOf(org).login, orgID: org, memberID, stepUp };
  await send(attack, '/end-member-sessions', person, body);
  const found = pick.one(world.credentials.stored);
  const lostSince = pick.chance(0.5) ? new Date(0) : undefined;
  const proof = stepUp as Parameters<typeof removeAuthenticator>[1]['proof'];
  const input = {
    person: { ...person, avatarUrl: '' },
    collection: 'webauthn' as const,
    id: found.id,
    proof,
  };
  await removeAuthenticator(world as never, { ...input, lostSince }).catch((error: unknown) =>
    expect(error).toBeInstanceOf(AppError),
  );
  checkAuthenticators(attack);
  expect(world.sessions.effects).toEqual([]);
};

/** Pull requests change, people leave and come back, time passes, and a part of the world fails. */
const changeWorld: Step = async (attack, pick) => {
  const { world } = attack;
  world.stage.heal();
  const pulls = world.pulls.all ?? [];
  // Often the approval that a person has just signed for.
  const signed = attack.assertions.at(-1)?.params;
  const pull =
    pulls.find(
      ({ number, repo }) => number === signed?.pr && repo.name === signed.repo && pick.chance(0.5),
    ) ?? pick.one(pulls);
  const before = { ...pull };
  // Most often another head or base.
  const what = pick.below(pick.chance(0.5) ? 2 : 8);
  if (what === 0) pull.head = pick.one(HEADS);
  if (what === 1) pull.base = pick.one(BASES);
  if (what === 2) pull.open = !pull.open;
  if (what === 3 && pulls.length < 12) {
    const repo = pick.below(REPOS.length);
    pulls.push(pullAt(pulls.length + 2, repo, { head: pick.one(HEADS), base: pick.one(BASES) }));
  }
  if (what === 4) {
    const { person, org } = pick.one(world.holdings);
    const key = `${org}:${person.githubId}`;
    if (!world.members.roles.delete(key)) world.members.roles.set(key, 'member');
  }
  if (what === 5) world.clock.pass(pick.below(90_000));
  if (what === 6) await retryUnreported(world, new Map(), 0);
  for (const changed of [before, pull, ...pulls.slice(-1)]) await syncHead(world, changed);
  if (what === 7) failNext(world, pick);
};

function failNext({ stage }: World, pick: Picker): void {
  const name = pick.one(
    words(`approvals.add checkRuns.update checkRuns.create checkRunRecords.save pullRequests.get
    pullRequests.listOpen challenges.consume`),
  );
  const error = new AppError(
    name.startsWith('check') || name.startsWith('pullRequests') ? 'githubUnavailable' : 'storeUnavailable',
  );
  stage.fail(name, error, { when: pick.one(['before', 'after']) });
}

const STEPS: [weight: number, step: Step][] = [
  [2, approveHonestly],
  [1, stepUpHonestly],
  [8, attackApproval],
  [1, approveBatchHonestly],
  [2, attackBatch],
  [1, denyHonestly],
  [1, attackDenial],
  [4, replay],
  [2, decideHonestly],
  [3, attackDeployment],
  [2, changeRuns],
  [3, attackRegistration],
  [2, enrolHonestly],
  [4, attackEnrolment],
  [3, changeWorld],
  [2, takeBack],
];
const WEIGHTED = STEPS.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));

function mixedTarget(attack: Attack, pick: Picker) {
  const pulls = attack.world.pulls.all ?? [];
  const params = targetOf(pick.one(pulls));
  for (const part of Object.keys(params) as (keyof typeof params)[])
    if (pick.chance(0.1)) Object.assign(params, { [part]: targetOf(pick.one(pulls))[part] });
  if (pick.chance(0.1)) params.head = pick.one(HEADS);
  const holdings = attack.world.holdings.filter(({ org }) => org === params.ownerID);
  return { params, person: pick.chance(0.9) ? pick.one(holdings).person : pick.one(PEOPLE) };
}

/** An answer that was seen, one by Mallory's key over a challenge that was seen, or a mixture of them. */
function anAssertion(
  attack: Attack,
  pick: Picker,
  aim: { person: Holding['person']; challenge?: string | undefined },
) {
  const seen = pick.one(attack.assertions)?.response;
  if (seen && pick.chance(0.3)) return seen;
  const challenge = aim.challenge ?? 'AAAA';
  const forged = mallorys(attack).key.get({ challenge }, aTwist(pick));
  const part = pick.one(['id', 'rawId', 'response'] as const);
  if (seen && pick.chance(0.3)) return { ...seen, [part]: forged[part] };
  const theirs = attack.world.holdings.filter(({ person }) => person === aim.person);
  const { id } = pick.one(pick.chance(0.8) ? theirs : attack.world.holdings).key;
  return pick.chance(0.8) ? { ...forged, id, rawId: id } : forged;
}

const aTwist = (pick: Picker): Twist =>
  pick.one([
    {},
    {},
    { origin: 'https://evil.example' },
    { flags: 0 },
    { type: 'webauthn.create' },
    { rpId: 'evil.example' },
  ]);

function aProof(attack: Attack, pick: Picker, person: Holding['person']): unknown {
  const kind = pick.below(4);
  if (kind === 0) return undefined;
  const type = pick.one(stepUpAction.options);
  if (kind === 1) return { type, otp: pick.one(attack.codes) ?? '000000' };
  return { type, webauthn: anAssertion(attack, pick, { person, challenge: pick.one(attack.challenges) }) };
}

const mallorys = ({ world }: Attack): { key: SoftwareAuthenticator; app: Holding['app'] } => {
  const found = world.holdings.find(({ person }) => person.githubId === MALLORY);
  if (!found) throw new Error('Mallory holds nothing');
  return found;
};

/** The options that the call answers with, whose challenge the thief sees; undefined if it's refused. */
async function begin<T extends { challenge: string } = Answer>(
  ...[attack, ...request]: Parameters<typeof send>
): Promise<T | undefined> {
  const answer = (await send(attack, ...request)) as T;
  if (answer instanceof Error) return undefined;
  attack.challenges.push(answer.challenge);
  return answer;
}

/** Makes the call, with the person's own GitHub token unless it has another one, and checks what must hold after it. */
async function send(attack: Attack, path: string, person: Holding['person'], body: object): Promise<unknown> {
  attack.world.stage.calls.splice(0);
  const sent = { accessToken: tokenOf(person), ...body };
  const answer = await call(attack.world, path, person, JSON.parse(JSON.stringify(sent)));
  // An error that isn't a refusal is a call that an attacker broke.
  if (answer instanceof Error && !(answer instanceof AppError)) throw answer;
  const outcome = `${path}: ${answer instanceof AppError ? answer.code : 'ok'}`;
  attack.outcomes.set(outcome, (attack.outcomes.get(outcome) ?? 0) + 1);
  checkNewApprovals(attack);
  checkNewDecisions(attack);
  checkAuthenticators(attack);
  return answer;
}

/** Each decision about a deployment was meant by its person, a member, for a run of the repository. */
function checkNewDecisions(attack: Attack): void {
  const { decisions, members, workflowRuns } = attack.world;
  for (const one of decisions.stored.slice(attack.decisions)) {
    const { repoId, head, base: ref, run: id, attempt, environment, githubId, orgId } = one;
    const run = workflowRuns.runs.find((known) => known.id === id);
    expect(run).toMatchObject({ repoId, head, ref, ownerId: orgId, attempt, hasEnded: false });
    const meant = run && meaningOfRun(run, environment, githubId, one.reason);
    if (githubId === MALLORY && meant) attack.meant.add(meant);
    expect(attack.meant).toContain(meant);
    expect(members.roles.has(`${orgId}:${githubId}`)).toBe(true);
  }
  attack.decisions = decisions.stored.length;
}

/** Jobs started only by an approval of exactly their attempt, environment and commit, which nobody rejected or denied. */
function checkStarts(attack: Attack): void {
  const { decisions, approvals, workflowRuns } = attack.world;
  for (const { of, environment } of workflowRuns.starts.slice(attack.starts)) {
    const { id: run, attempt, head, repoId, ownerId: orgId } = of;
    const given = decisions.stored.filter(
      (one) => one.run === run && one.attempt === attempt && one.environment === environment,
    );
    const approval = { decision: 'approve', repoId, orgId, head };
    expect(given).toContainEqual(expect.objectContaining(approval));
    expect(given.map(({ decision }) => decision)).not.toContain('reject');
    const isDenial = (one: (typeof approvals.stored)[number]) =>
      one.reason !== undefined && one.repoId === repoId && one.orgId === orgId && one.head === head;
    expect(approvals.stored.filter((one) => !one.withdrawn && isDenial(one))).toEqual([]);
    expect([of.isOwn, of.hasEnded]).toEqual([true, false]);
    attack.outcomes.set(STARTED, (attack.outcomes.get(STARTED) ?? 0) + 1);
  }
  attack.starts = workflowRuns.starts.length;
}

/** Each approval was meant by its person, a member, for a pull request as it is. */
function checkNewApprovals(attack: Attack): void {
  const { approvals, members, pulls } = attack.world;
  for (const one of approvals.stored.slice(attack.approvals)) {
    const meant = meaning(one.repoId, one.head, one.base, one.githubId, one.reason);
    // Mallory may approve in her own organization.
    if (one.githubId === MALLORY) attack.meant.add(meant);
    expect(attack.meant).toContain(meant);
    expect(members.roles.has(`${one.orgId}:${one.githubId}`)).toBe(true);
    expect(pulls.all).toContainEqual(
      expect.objectContaining({
        number: one.pr,
        head: one.head,
        base: one.base,
        open: true,
        repo: expect.objectContaining({ id: one.repoId, ownerId: one.orgId }),
      }),
    );
  }
  attack.approvals = approvals.stored.length;
}

/** The keys of the beginning count, and keys that an owner vouched for after they compared the digits. */
function checkAuthenticators({ world, credentials, vouched }: Attack): void {
  const keys = world.credentials.stored.filter(({ pending }) => pending === '');
  const now = [...keys, ...world.totpApps.stored].map(({ id }) => id).filter((id) => !vouched.has(id));
  // Cheap, because it runs after every call.
  if (now.length !== credentials.size || now.some((id) => !credentials.has(id)))
    expect(new Set(now)).toEqual(credentials);
  for (const { id, keyId } of keys) if (vouched.has(id)) expect(keyId).toBe(keyOf('mona:9').id);
}

/**
 * A head is green only if an approval that wasn't taken back is for the base of each of its open pull requests, and no
 * denial of it is in force.
 */
function checkGreens(attack: Attack): void {
  const isMeant = ({ repo, head, base }: PullRequest) => {
    const given = attack.world.approvals.stored.filter(
      (one) => !one.withdrawn && one.repoId === repo.id && one.head === head,
    );
    return (
      given.some((one) => one.reason === undefined && one.base === base) &&
      given.every((one) => one.reason === undefined)
    );
  };
  // `expect` only for a failure, because this runs after every step.
  for (const pull of openPulls(attack))
    if (isGreen(attack.world, pull) && !isMeant(pull))
      expect({ green: pull }).toEqual('a head that its members approved');
}

async function run(seeds: number[], outcomes: Attack['outcomes']): Promise<void> {
  // In every other world, Mona is new in an organization where a member has to vouch.
  const world = await createWorld((seeds[0] ?? 0) % 2 === 0 ? { login: 'mona', org: 9 } : undefined);
  const ids = [...world.credentials.stored, ...world.totpApps.stored].map(({ id }) => id);
  const attack: Attack = {
    world,
    meant: new Set(),
    assertions: [],
    challenges: [],
    codes: [],
    credentials: new Set(ids),
    vouched: new Set(),
    vouches: [],
    batches: [],
    approvals: 0,
    decisions: 0,
    starts: 0,
    outcomes,
  };
  for (const seed of seeds) {
    const pick = createPicker(seed);
    await pick.one(WEIGHTED)(attack, pick);
    checkGreens(attack);
    checkStarts(attack);
  }
}

describe('a thief with every session, every token and every message', () => {
  it(
    `completes no check and registers nothing, in any order of calls, changes and faults (ATTACK_SEED=${SEED})`,
    async () => {
      const outcomes: Attack['outcomes'] = new Map();
      const seeds = fc.array(fc.nat(), { minLength: ATTEMPTS_A_RUN, maxLength: ATTEMPTS_A_RUN });
      await fc.assert(
        fc.asyncProperty(seeds, (list) => run(list, outcomes)),
        { numRuns: Math.ceil(ATTEMPTS / ATTEMPTS_A_RUN), seed: SEED },
      );
      // The attack is worth something only if honest approvals get through, and each defence was reached.
      if (process.env.ATTACK_OUTCOMES)
        process.stderr.write(JSON.stringify(Object.fromEntries([...outcomes].sort()), null, 1));
      const expected = ATTEMPTS < ENOUGH_FOR_ALL ? ALWAYS : [...ALWAYS, ...HONEST, ...DEFENCES];
      expect(expected.filter((one) => !outcomes.has(one))).toEqual([]);
      expect(outcomes.get(SAME_DIGITS) ?? 0).toBeLessThan(2);
    },
    LONGEST_MS,
  );
});

/** In 2,000 attempts each of these comes 15 times or more, whatever the seed. */
const ALWAYS = [
  STARTED,
  ...words('ok challengeUnknown deploymentDecided').map((code) => `/deploy-check: ${code}`),
  '/github-check-webauthn: ok',
  '/approve-batch: ok',
  ...words(`assertionFailed challengeUnknown challengeUsed headMoved notYourAuthenticator`).map(
    (code) => `/github-check-webauthn: ${code}`,
  ),
  ...['challengeUnknown', 'challengeUsed'].map((code) => `/approve-batch: ${code}`),
  ...['ok', 'challengeUnknown'].map((code) => `/deny: ${code}`),
  ...['baseMoved', 'wrongCode'].map((code) => `/github-totp-check: ${code}`),
  ...['otherStepUp', 'stepUpRequired'].map((code) => `/github-register-passkey: ${code}`),
  '/github-register-totp: stepUpRequired',
  '/github-vouch: notMember',
  '/webauthn-challenge: notMember',
  '/github-set-policy: notOwner',
];

const HONEST = [
  ...words('check-webauthn totp-check withdraw-approval vouch').map((call) => `/github-${call}: ok`),
  '/approve-batch: ok',
];

/** With fewer attempts, the rarest defence isn't always reached. */
const ENOUGH_FOR_ALL = 50_000;
const DEFENCES = [
  ...words(`challengeUnknown challengeUsed headMoved baseMoved notYourAuthenticator assertionFailed notMember
    pullClosed pullNotFound installationNotFound`).map((code) => `/github-check-webauthn: ${code}`),
  ...words('challengeUnknown challengeUsed assertionFailed').map((code) => `/approve-batch: ${code}`),
  ...words(`alreadyDenied challengeUsed otherReason assertionFailed headMoved notYourAuthenticator`).map(
    (c) => `/deny: ${c}`,
  ),
  ...words('wrongCode usedCode baseMoved headMoved').map((code) => `/github-totp-check: ${code}`),
  ...words(`challengeUsed runMoved otherReason assertionFailed notYourAuthenticator deploymentNotFound notMember
    installationNotFound`).map((code) => `/deploy-check: ${code}`),
  ...words(`otherStepUp challengeUnknown challengeUsed ownVouch notYourAuthenticator vouchNeedsKey
    assertionFailed notMember authenticatorNotFound alreadyDecided`).map((code) => `/github-vouch: ${code}`),
  ...['stepUpRequired', 'otherStepUp', 'challengeUnknown'].map((code) => `/github-register-passkey: ${code}`),
];
