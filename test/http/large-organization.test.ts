import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { LocalGitHub } from '../../demo/local-github.ts';
import type { OrganizationHealth } from '../../src/contract/organization-health.ts';
import { registerPasskey } from '../support/account.ts';
import { factsOf } from '../support/facts-of.ts';
import {
  approveBy,
  approveByKey,
  clientOf,
  freePort,
  type OwnProduct,
  type Pull,
  type Run,
  startTestProduct,
  type TestProduct,
  until,
} from '../support/product.ts';
import { Running } from '../support/running.ts';

/** The size that docs/operations.md names is only in `npm run test:soak`. */
const CROWD = process.env.SOAK ? { members: 2_000, repositories: 500 } : { members: 0, repositories: 0 };
/** On an Enterprise Server. */
const REPOSITORIES = 200;
/** How long a check may take to appear or to pass: a limit of GitHub, or ours, takes longer. */
const SOON_MS = 20_000;
/** The slowest tests are only in `npm run test:soak`. */
const inSoak = (...test: Parameters<typeof it>) => void (process.env.SOAK && it(...test));

const demos: Running[] = [];
afterEach(async () => {
  for (const demo of demos.splice(0)) await demo.clear();
});

/** The GitHub of `npm run demo`, with a client of it. */
async function startDemo(env: Record<string, string>): Promise<{ demo: Running; product: TestProduct }> {
  const ports = { PORT: String(await freePort()), DEMO_GITHUB_PORT: '0' };
  const demo = new Running(
    { ...ports, DATA_DIR: 'data', ...env },
    { program: resolve('dist-demo/demo/run-demo.js'), args: [] },
  );
  demos.push(demo);
  const {
    dashboard,
    github: at,
    ...facts
  } = (await demo.ready()) as unknown as {
    dashboard: string;
    github: string;
  } & LocalGitHub['facts'];
  const github = { origin: at, env: { GITHUB_API_URL: at }, facts } as LocalGitHub;
  const client = clientOf({ origin: dashboard, github });
  return { demo, product: { ...client, github, dataDir: '', log: [], stop: () => demo.clear() } };
}

/** The conclusions of the check runs on the pull request's head. */
const shown = async (product: TestProduct, pull: Pull) =>
  (await product.runs(pull.head.sha)).map(({ conclusion }) => conclusion).join();

/** The events that are warnings or errors, each once. */
const warningsIn = (log: string[]) => {
  const lines = log.filter((line) => /"level":[456]0/.test(line)).map((line) => JSON.parse(line));
  return [...new Set(lines.map(({ event, msg }) => event ?? msg))];
};

describe('the documented demo', () => {
  it(`lets people sign in and approve right away, with ${CROWD.repositories} more repositories, and lists the pull requests that it opens`, async () => {
    const { demo, product } = await startDemo({
      DEMO_MEMBERS: String(CROWD.members),
      DEMO_REPOSITORIES: String(CROWD.repositories),
      DEMO_PULLS: '8',
    });
    const { org, repo } = product.github.facts;
    const pull = await product.asAdmin<Pull>('GET', `/repos/${org}/${repo}/pulls/1`);
    const session = await product.signIn('octocat');
    const key = await registerPasskey(product, session);
    const answer = await approveBy(product, session, key, pull);
    expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ passed: true })]);
    await until('the check to pass', async () => (await shown(product, pull)) === 'success', SOON_MS);
    const { orgID } = product.github.facts;
    const waiting = await product.call('/organization-pulls', { orgID }, session);
    // With that of the private repository, and mona's with a commit by an agent.
    expect(waiting.json()).toMatchObject({ total: 10 });
    // It logs warnings, and the local GitHub refused nothing: neither people nor the comparison of repositories.
    expect(warningsIn(demo.stderr.split('\n'))).toEqual([]);
    demo.child.kill('SIGTERM');
    expect(await demo.ended()).toBe(0);
  });
});

describe('with an Enterprise Server', () => {
  const VERSION = '3.19.2';
  /** Starts the product for `work`. It fails at its end if GitHub's description lacks a request that it sent. */
  async function withProduct(
    version: string,
    work: (product: OwnProduct) => Promise<void>,
    options: Parameters<typeof startTestProduct>[0] = {},
  ): Promise<void> {
    const product = await startTestProduct({ ...options, speaksAs: { kind: 'enterpriseServer', version } });
    await work(product).finally(product.stop);
  }
  const healthOf = async (product: TestProduct) => {
    const { orgID } = product.github.facts;
    return (
      await product.call('/organization-health', { orgID }, await product.signIn('octocat'))
    ).json<OrganizationHealth>();
  };

  it('completes a check and reads the setup health, without rate limits of GitHub', () =>
    withProduct(VERSION, async (product) => {
      const pull = await product.pendingPull();
      const mona = await product.signIn('mona');
      await approveByKey(product, mona, await registerPasskey(product, mona), pull);
      expect(await shown(product, pull)).toBe('success');
      const refused = /"level":[456]0.*(Not Found|supported version)/;
      expect(product.log.filter((line) => refused.test(line))).toEqual([]);
      expect(product.log.join('')).toContain(`"enterpriseServer":"${VERSION}"`);
      expect(product.log.join('')).not.toContain('enterprise_server_old');
      // Nobody counted, so that was no limit that we kept within.
      expect(product.github.rateLimits.counted(product.github.facts.installation)).toBe(0);
      const { findings } = await healthOf(product);
      const server = { version: VERSION, isUnchecked: false, hasMergeGroups: true };
      expect(factsOf(findings, 'enterpriseServer')).toEqual(server);
      expect(factsOf(findings, 'permissions')).toEqual({ missing: [], isPending: false });
    }));

  it('warns in the log and in the setup health of a server older than what was compared', () =>
    withProduct('3.16.9', async (product) => {
      const warned = product.log.filter((line) => line.includes('"event":"enterprise_server_old"'));
      expect(warned.map((line) => JSON.parse(line))).toMatchObject([
        { level: 40, enterpriseServer: '3.16.9', msg: expect.stringContaining('older than 3.17,') },
      ]);
      const isRead = async () => JSON.stringify(await healthOf(product)).includes('"version":"3.16.9"');
      await until('the version', isRead);
      const { findings } = await healthOf(product);
      expect(factsOf(findings, 'enterpriseServer')?.isUnchecked).toBe(true);
    }));

  inSoak(`compares ${REPOSITORIES} repositories each round, and creates new checks during it`, async () => {
    const options = { repositories: REPOSITORIES - 1, waits: { reconcileEveryMs: 1_000 } };
    const compared = new Map<string, number>();
    const refused = new Set<string>();
    const work = async (product: OwnProduct) => {
      product.sendInstead(async (sendRequest, url, sent) => {
        const answer = await sendRequest(url, sent);
        if (answer.status >= 400)
          refused.add(`${sent?.method} ${url}: ${answer.status} ${await answer.clone().text()}`);
        if (url.endsWith('/graphql')) {
          const { name } = JSON.parse(String(sent?.body ?? '')).variables;
          compared.set(name, (compared.get(name) ?? 0) + 1);
        }
        return answer;
      });
      const last = `/repos/${product.github.facts.org}/repository-0${REPOSITORIES - 1}`;
      const pull = await product.openPull('A change', 'main', undefined, last);
      const statuses = async () => {
        const path = `${last}/commits/${pull.head.sha}/check-runs?check_name=OTP%20Guard`;
        const { check_runs } = await product.asAdmin<{ check_runs: Run[] }>('GET', path);
        return check_runs.map(({ status }) => status).join();
      };
      const isPending = async () => (await statuses()) === 'in_progress';
      await until('the pending check', isPending, SOON_MS);
      const { stale } = await product.asAdmin<{ stale: number[] }>('POST', '/_local/stale', {
        head: pull.head.sha,
      });
      expect(stale).toHaveLength(1);
      await until('a round that repairs the check', isPending, 3 * SOON_MS);
      compared.clear();
      // The other organization has a repository, too. Each of all is asked for once a round.
      const isCompared = () => compared.size > REPOSITORIES && Math.min(...compared.values()) >= 2;
      await until('two more rounds', isCompared, 3 * SOON_MS);
      const began = performance.now();
      await product.pendingPull('While rounds go on');
      expect(performance.now() - began).toBeLessThan(SOON_MS);
      expect([...refused]).toEqual([]);
      expect(warningsIn(product.log)).toEqual([]);
    };
    await withProduct(VERSION, work, options);
  });
});
