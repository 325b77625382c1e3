import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { startEmbeddedStore } from '../../src/adapters/pocketbase/process/start-store.ts';
import type { Waits } from '../../src/app/assemble.ts';
import { APP_KEY } from './app-key.ts';
import { RATE_LIMITS } from './beyond-limits.ts';
import { startLocalGitHub } from './built.ts';
import { runSweep, SupervisedProduct } from './fault-product.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { clientOf, freePort, type Pull, type Run, type TestProduct } from './product.ts';
import { startAll } from './start-all.ts';
import { copyPreparedStore, silent, superuserOf } from './stores.ts';

// Processes die and start again in these tests, and wait for each other's claims, which expire after half a minute.
jest.setTimeout(180_000);

/** An approval in the record store, or a decision about a deployment. */
export type StoredApproval = {
  user_id: number;
  login: string;
  statement: { purpose: string } | null;
  /** The run, the attempt and the environment of a decision; empty for an approval. */
  deployment: string;
  repo_id: number;
  org_id: number;
  pr: number;
  base: string;
  head: string;
  created: string;
  /** When it was withdrawn and its id; empty while it counts. */
  withdrawn: string;
};

/** A policy in the record store, by its number. */
export type StoredPolicy = { number: number; policy: { rules: unknown[] }; created: string };

/** `head` is the commit of a new branch that only points to it; `isNew` is false if the branch exists. */
export type NewPull = {
  branch: string;
  base?: string;
  isNew?: boolean;
  head?: string | undefined;
  fork?: string | undefined;
};

/** The product as a process with its own record store, and a fault proxy between it and the local GitHub. */
export type FaultWorld = Awaited<ReturnType<typeof startFaultWorld>>;

/**
 * Short waits for tests. GitHub still has enough time to answer on a busy machine, and as in production a write times
 * out before the claim of its run expires.
 */
export const SHORT_WAITS = {
  answerMs: 2_500,
  retryMs: 300,
  lookForMs: 300,
  verdictMs: 5_000,
  claimMs: 3_000,
  retryEveryMs: 500,
  leaseMs: 2_000,
  writes: { patienceMs: 2_000 },
} satisfies Waits;

export function startFaultWorld(
  options: {
    random?: () => number;
    members?: number;
    repositories?: number;
    /** Whether there is the private repository `vault`, too. */
    hasVault?: boolean;
    /** Whether `hello` has a release whose environment has the App's rule. */
    isGating?: boolean;
    waits?: Waits;
    /** The waits of `sweep`, if they differ. */
    sweepWaits?: Waits;
  } = {},
) {
  const {
    random = Math.random,
    members = 0,
    repositories = 0,
    hasVault = false,
    isGating = false,
    waits = SHORT_WAITS,
  } = options;
  return startAll(async (stops) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-faults-'));
    stops.push(() => rmSync(dataDir, { recursive: true, force: true }));
    copyPreparedStore(dataDir);
    const proxy = await startFaultProxy(random);
    stops.push(proxy.close);
    const { publicUrl, githubUrl } = proxy;
    const github = await startLocalGitHub({
      privateKey: APP_KEY,
      port: 0,
      publicUrl,
      crowd: { members, repositories },
      hasVault,
      isGating,
      hasWorkflow: true,
      // The product's waits are shortened, so it writes faster than GitHub allows.
      rateLimits: RATE_LIMITS,
    });
    stops.push(github.close);
    const port = await freePort();
    proxy.connect({ github: github.origin, product: `http://localhost:${port}` });
    const env = {
      ...github.env,
      GITHUB_API_URL: githubUrl,
      GITHUB_SERVER_URL: githubUrl,
      PUBLIC_URL: publicUrl,
      PORT: String(port),
      HOST: 'localhost',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
    };
    const product = new SupervisedProduct(env, waits);
    stops.push(() => product.stop());
    const client = clientOf({ origin: publicUrl, github });
    const { asAdmin } = client;
    const pathOf = (repo: string) => `/repos/${github.facts.org}/${repo}`;

    return {
      ...client,
      proxy,
      process: product,
      /** The product's settings. */
      env,
      github,
      dataDir,
      log: [] as string[],
      sweep: () => runSweep(env, options.sweepWaits ?? waits),
      /** Opens a pull request in any repository of the organization; its branch is in the fork of `fork`, if that is given. */
      async openPullIn(repo: string, input: NewPull): Promise<Pull> {
        const { branch, base = 'main', isNew = true, head, fork } = input;
        const path = fork === undefined ? pathOf(repo) : `/repos/${fork}/${repo}`;
        if (isNew) await addBranch(client, path, branch, head);
        if (isNew && !head) {
          const content = Buffer.from(branch).toString('base64');
          await asAdmin('PUT', `${path}/contents/${branch}.txt`, { message: branch, content, branch });
        }
        const from = fork === undefined ? branch : `${fork}:${branch}`;
        return asAdmin('POST', `${pathOf(repo)}/pulls`, { title: `Merge ${branch}`, head: from, base });
      },
      /** The open pull requests of a repository. */
      async openPulls(repo: string): Promise<Pull[]> {
        const all: Pull[] = [];
        for (let page = 1; ; page += 1) {
          const query = `state=open&per_page=100&page=${page}`;
          const found = await asAdmin<Pull[]>('GET', `${pathOf(repo)}/pulls?${query}`);
          all.push(...found);
          if (found.length < 100) return all;
        }
      },
      /** The App's check runs on a head: the newest of each name, or all. */
      async ownRuns(repo: string, head: string, filter: 'latest' | 'all'): Promise<Run[]> {
        const query = `check_name=OTP%20Guard&app_id=${github.env.APP_ID}&filter=${filter}&per_page=100`;
        const path = `${pathOf(repo)}/commits/${head}/check-runs?${query}`;
        return (await asAdmin<{ check_runs: Run[] }>('GET', path)).check_runs;
      },
      /** The stored approvals and decisions, and the policies. The product must be stopped. */
      async stored(): Promise<{ given: StoredApproval[]; policies: StoredPolicy[] }> {
        const store = await startEmbeddedStore({ dataDir, publicUrl, log: silent });
        try {
          const records = await superuserOf(store);
          return {
            given: await records.collection('approvals').getFullList<StoredApproval>(),
            policies: await records.collection('policies').getFullList<StoredPolicy>(),
          };
        } finally {
          await store.stop();
        }
      },
    };
  });
}

/** Creates a branch in the repository at `path`, at `head` or at the head of `main`. */
export async function addBranch(
  { asAdmin }: Pick<TestProduct, 'asAdmin'>,
  path: string,
  branch: string,
  head?: string,
): Promise<void> {
  const main = () => asAdmin<{ object: { sha: string } }>('GET', `${path}/git/ref/heads/main`);
  const sha = head ?? (await main()).object.sha;
  await asAdmin('POST', `${path}/git/refs`, { ref: `refs/heads/${branch}`, sha });
}

/** The name of an additional repository; the first is 1. */
export const crowdRepository = (number: number) => `repository-${String(number).padStart(4, '0')}`;
/** The login of an additional member; the first is 1. */
export const crowdMember = (number: number) => `member-${String(number).padStart(4, '0')}`;
