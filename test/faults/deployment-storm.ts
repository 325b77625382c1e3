import { proofBy, registerPasskey } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import type { ReviewWrite } from '../support/fault-proxy.ts';
import type { FaultWorld, StoredApproval, StoredPolicy } from '../support/fault-world.ts';
import type { Answer, Session } from '../support/product.ts';

/** Runs of `hello` that wait at `release`, while everything else of the storm happens. */
export type DeploymentStorm = ReturnType<typeof createDeploymentStorm>;

type Person = { session: Session; key: SoftwareAuthenticator };
type Run = { id: number; run_attempt: number; head_sha: string; status: string; run_started_at: string };
type Deps = {
  world: FaultWorld;
  random: () => number;
  /** The branches from which a release can start, besides `main`. */
  branches(): string[];
  installation(): number;
  outcomes: Record<string, number>;
};

const HELLO = '/repos/octo-org/hello';
const RUNS = `${HELLO}/actions/runs`;
const ENVIRONMENT = 'release';

/** An approval is sent so soon after its decisions and policy were read again, on a busy machine too. */
const READ_WITHIN_MS = 5_000;
/** The release of `hello` waits in two waves. */
const WAVES = 2;

/** GitHub refuses, for example because the run has ended. */
const refused = (error: Error): undefined => {
  if (!/: (403|404|409|422) /.test(error.message)) throw error;
};

export function createDeploymentStorm({ world, random, branches, installation, outcomes }: Deps) {
  const confirmed: { run: number; attempt: number; by: string }[] = [];
  let owner: Person | undefined;
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const admin = <T>(method: string, path: string, body?: object) => world.asAdmin<T>(method, path, body);
  const listRuns = async () =>
    (await admin<{ workflow_runs: Run[] }>('GET', `${RUNS}?per_page=100`)).workflow_runs;
  const pickRun = async (statuses: string[]) =>
    pick((await listRuns()).filter(({ status }) => statuses.includes(status)));
  const act = async (statuses: string[], action: string, path = RUNS) => {
    const run = await pickRun(statuses);
    if (run) await admin('POST', `${path}/${run.id}/${action}`, {}).catch(refused);
  };
  const note = (outcome: string) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };

  /** Asks for another number of approvals of releases. An outage is part of the storm. */
  async function changePolicy(): Promise<void> {
    const session = owner?.session ?? (await world.signIn('octocat'));
    owner ??= { session, key: await registerPasskey(world, session) };
    const { org, orgID } = world.github.facts;
    const rule = { name: 'Releases', when: { environments: [ENVIRONMENT] }, require: { approvals: 2 } };
    const policy = { version: 1, rules: random() < 0.5 ? [rule] : [] };
    const stepUp = await proofBy(
      world,
      session,
      owner.key,
      { type: 'change-policy', policy },
      { org, orgID },
    );
    const body = { org, orgID, policy, stepUp, accessToken: session.accessToken };
    note(`policy ${(await world.call('/github-set-policy', body, session)).status}`);
  }

  return {
    confirmed,
    /** What people and administrators do about releases. */
    changes: {
      async release() {
        const ref = random() < 0.5 ? 'main' : (pick(branches()) ?? 'main');
        await admin('POST', `${HELLO}/actions/workflows/release.yml/dispatches`, { ref }).catch(refused);
      },
      async releaseAgain() {
        const body = { ref: 'main' };
        await admin('POST', `${HELLO}/actions/workflows/release.yml/dispatches`, body).catch(refused);
      },
      repeat: () => act(['completed'], 'rerun'),
      cancel: () => act(['waiting'], 'cancel'),
      bypass: () => act(['waiting'], 'start-waiting', `/_local${HELLO}/actions/runs`),
      failReviews: () =>
        admin('POST', `/_local${HELLO}/actions/unkind`, { reviews: 2 }).then(() => undefined, refused),
      releasePolicy: () => changePolicy().catch(() => note('policy cut off')),
    },

    /** A person approves or rejects a release that waits, as it's shown now. The outcome as they see it. */
    async decide({ session, key }: Person): Promise<string | undefined> {
      const run = await pickRun(['waiting']);
      if (!run) return undefined;
      const { org: owner, orgID: ownerID, repo } = world.github.facts;
      const about = { installation: installation(), owner, ownerID, repo, environment: ENVIRONMENT };
      const params = { ...about, run: run.id, attempt: run.run_attempt };
      const decided = random() < 0.85 ? {} : { decision: 'reject', reason: 'Not today.' };
      const { accessToken } = session;
      const asked = await world.call('/deploy-params', { ...params, ...decided, accessToken }, session);
      if (asked.status !== 200) return `deploy params ${asked.status}`;
      const { options } = asked.json<{ options: { challenge: string } }>();
      const body = { params, ...decided, authResponse: key.get(options), accessToken };
      const { status } = await world.call('/deploy-check', body, session);
      if (status === 200) confirmed.push({ run: run.id, attempt: run.run_attempt, by: session.login });
      return `deploy ${status}`;
    },

    /**
     * Tells whether no release waits that its approvals let start: later waves are looked for after growing pauses. Each
     * person may only ask so often, so they take turns.
     */
    async isSettled(people: Person[]): Promise<boolean> {
      const waiting = (await listRuns()).filter(({ status }) => status === 'waiting');
      const { org: owner, orgID: ownerID, repo } = world.github.facts;
      const about = { installation: installation(), owner, ownerID, repo, environment: ENVIRONMENT };
      const answers = await Promise.all(
        waiting.map(({ id: run }, index) => {
          const { session } = people[index % people.length] as Person;
          return world.call('/deploy-params', { ...about, run, accessToken: session.accessToken }, session);
        }),
      );
      const isPassed = ({ status, json }: Answer) => status === 200 && json<{ passed: boolean }>().passed;
      return !answers.some((answer) => answer.status === 429 || isPassed(answer));
    },

    /** Describes each review that didn't follow from what was in force, and each release that waits without a reason. */
    async faults(stored: StoredApproval[], policies: StoredPolicy[]): Promise<string[]> {
      const found: string[] = [];
      const decisions = stored.filter(({ deployment }) => deployment !== '');
      for (const { run, attempt, by } of confirmed) {
        const isStored = decisions.some(
          ({ deployment, login }) => deployment === nameOf(run, attempt) && login === by,
        );
        if (!isStored) found.push(`the decision of ${by} about ${nameOf(run, attempt)} is lost`);
      }
      const runs = await listRuns();
      const reviews = world.proxy.reviewWrites.filter((one) => one.environment === ENVIRONMENT);
      for (const run of runs) {
        const attempts = await Promise.all(
          Array.from({ length: run.run_attempt }, (_, index) =>
            admin<Run>('GET', `${RUNS}/${run.id}/attempts/${index + 1}`),
          ),
        );
        const ofRun = reviews.filter((one) => one.run === run.id && one.state !== undefined);
        for (const review of ofRun) {
          const reasons = attempts
            .filter((_, index) => wasPresent(attempts, index, review))
            .map(({ run_attempt }) => whyNot({ review, run, attempt: run_attempt, decisions, policies }));
          if (!reasons.includes(null)) found.push(`${review.state} of run ${run.id}: ${reasons.join('; ')}`);
        }
        for (const [index, { run_attempt }] of attempts.entries()) {
          const certain = ofRun.filter((review) =>
            attempts.every((_, other) => wasPresent(attempts, other, review) === (other === index)),
          );
          const approved = certain.filter(({ state }) => state === 'approved').length;
          if (approved > WAVES || certain.length - approved > 1)
            found.push(`run ${run.id}, attempt ${run_attempt} was reviewed ${certain.length} times`);
        }
        if (run.status === 'waiting')
          found.push(...(await whyWaiting(run, { decisions, policies, reviews })));
      }
      return found;
    },
  };

  /** Why a release still waits without a reason; none if its approvals are missing and GitHub shows that. */
  async function whyWaiting(
    run: Run,
    {
      decisions,
      policies,
      reviews,
    }: { decisions: StoredApproval[]; policies: StoredPolicy[]; reviews: ReviewWrite[] },
  ): Promise<string[]> {
    const pending = await admin<unknown[]>('GET', `${RUNS}/${run.id}/pending_deployments`);
    if (pending.length === 0) return [];
    const name = nameOf(run.id, run.run_attempt);
    const now = Date.now();
    const given = inForce(decisions, run, { name, from: now, until: now });
    if (given.some(isRejection)) return [`${name} was rejected, and waits`];
    if (peopleOf(given) >= neededBetween(policies, now, now)) return [`${name} was approved, and waits`];
    const isTold = reviews.some(
      (one) => one.run === run.id && one.state === undefined && one.at >= Date.parse(run.run_started_at),
    );
    return isTold ? [] : [`${name} waits, and GitHub doesn't say for what`];
  }
}

const nameOf = (run: number, attempt: number) => `${run} ${attempt} ${ENVIRONMENT}`;

/** Whether GitHub can have taken the review for this attempt: it has no time but those of its request and its answer. */
function wasPresent(attempts: Run[], index: number, { sent, at }: ReviewWrite): boolean {
  const since = Date.parse(attempts[index]?.run_started_at ?? '');
  const until = Date.parse(attempts[index + 1]?.run_started_at ?? '9999-01-01');
  return since <= at && sent <= until;
}

const isRejection = ({ statement }: StoredApproval) => statement?.purpose === 'reject';
const peopleOf = (given: StoredApproval[]) => new Set(given.map(({ user_id: id }) => id)).size;

/** The decisions about an attempt that were in force at some instant of this time. */
const inForce = (
  decisions: StoredApproval[],
  { head_sha: head }: Run,
  { name, from, until }: { name: string; from: number; until: number },
) =>
  decisions.filter(
    (one) =>
      one.deployment === name &&
      one.head === head &&
      Date.parse(one.created) <= until &&
      (one.withdrawn === '' || Date.parse(one.withdrawn.split(' ')[0] ?? '') >= from),
  );

/** The fewest approvals that a policy in force in this time asked for. */
function neededBetween(policies: StoredPolicy[], from: number, until: number): number {
  const inOrder = policies.toSorted((one, other) => one.number - other.number);
  const before = inOrder.findLast(({ created }) => Date.parse(created) <= from);
  const during = inOrder.filter(({ created }) => Date.parse(created) > from && Date.parse(created) <= until);
  const needed = [before, ...during].map((one) => (one?.policy.rules.length ? 2 : 1));
  return Math.min(...needed);
}

/** Why a review didn't follow from what was in force; null if it did. */
function whyNot({
  review: { state, sent, at },
  run,
  attempt,
  decisions,
  policies,
}: {
  review: ReviewWrite;
  run: Run;
  attempt: number;
  decisions: StoredApproval[];
  policies: StoredPolicy[];
}): string | null {
  const name = nameOf(run.id, attempt);
  const from = sent - READ_WITHIN_MS;
  const given = inForce(decisions, run, { name, from, until: at });
  const rejections = given.filter(isRejection);
  if (state === 'rejected') return rejections.length > 0 ? null : `nobody rejected ${name}`;
  if (rejections.some(({ created }) => Date.parse(created) < from)) return `somebody rejected ${name} before`;
  const approvals = peopleOf(given.filter((one) => !isRejection(one)));
  const needed = neededBetween(policies, from, at);
  return approvals >= needed ? null : `${name} had ${approvals} of ${needed} approvals`;
}
