import { resolve } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { registerPasskey } from '../support/account.ts';
import { approveBy, clientOf, freePort, type Pull, until } from '../support/product.ts';
import { Running } from '../support/running.ts';

/** The size that docs/operations.md names is only in `npm run test:soak`. */
const CROWD = process.env.SOAK ? { members: 2_000, repositories: 500 } : { members: 0, repositories: 0 };
/** How long a check may take to pass: a limit of GitHub, or ours, takes longer. */
const SOON_MS = 20_000;

let demo: Running | undefined;
afterEach(() => demo?.clear());

it(`the documented demo lets people approve right away, with ${CROWD.repositories} more repositories`, async () => {
  const env = {
    ...{ PORT: String(await freePort()), DEMO_GITHUB_PORT: '0', DATA_DIR: 'data' },
    ...{ DEMO_MEMBERS: String(CROWD.members), DEMO_REPOSITORIES: String(CROWD.repositories) },
  };
  demo = new Running(env, { program: resolve('dist-demo/demo/run-demo.js'), args: [] });
  const ready = (await demo.ready()) as unknown as { dashboard: string; github: string };
  const { dashboard: origin, github: at, ...facts } = ready;
  const github = { origin: at, env: { GITHUB_API_URL: at }, facts } as unknown as LocalGitHub;
  const product = {
    ...clientOf({ origin, github }),
    ...{ github, dataDir: '', log: [], stop: async () => undefined },
  };
  const { org, repo } = github.facts;
  const pull = await product.asAdmin<Pull>('GET', `/repos/${org}/${repo}/pulls/1`);
  const session = await product.signIn('octocat');
  const key = await registerPasskey(product, session);
  const answer = await approveBy(product, session, key, pull);
  expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ passed: true })]);
  const conclusions = async () => (await product.runs(pull.head.sha)).map(({ conclusion }) => conclusion);
  await until('the check to pass', async () => (await conclusions()).join() === 'success', SOON_MS);
  // It logs warnings and errors, and the local GitHub refused nothing: neither people nor the comparison of repositories.
  expect(demo.stderr.split('\n').filter((line) => /"level":[456]0/.test(line))).toEqual([]);
  demo.child.kill('SIGTERM');
  expect(await demo.ended()).toBe(0);
});
