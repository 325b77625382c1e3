import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { createGitHubApp } from '../../src/adapters/github/app.ts';
import { createCheckRuns } from '../../src/adapters/github/check-runs.ts';
import { createMembers } from '../../src/adapters/github/members.ts';
import { createRepositoryAccess } from '../../src/adapters/github/repository-access.ts';
import { connectLimits, type SharedLimits } from '../../src/adapters/redis/redis-limits.ts';
import type { CheckRunContent, CheckRuns, WritePriority } from '../../src/approvals/ports.ts';
import { readConfig } from '../../src/settings/config.ts';
import type { AppError } from '../../src/shared/app-error.ts';
import { APP_KEY } from '../support/app-key.ts';
import { startLocalGitHub } from '../support/built.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const log = pino({ level: 'silent' });
const PENDING: CheckRunContent = {
  status: 'in_progress',
  detailsUrl: 'https://guard.example.org',
  title: 'Waiting',
  summary: 'Waiting',
};
const PASSED: CheckRunContent = { ...PENDING, status: 'completed', conclusion: 'success' };
/** GitHub's minute is this short here. Ours is three times as long, so that a busy machine breaks no limit. */
const MINUTE_MS = 1_000;

let redis: TestRedis;
let github: LocalGitHub;
let head: string;
let open: SharedLimits[];

beforeEach(async () => {
  open = [];
  redis = await startRedis();
  github = await startLocalGitHub({
    privateKey: APP_KEY,
    port: 0,
    publicUrl: 'http://localhost:1',
    rateLimits: { minuteMs: MINUTE_MS },
  });
  const answer = await fetch(`${github.origin}/repos/octo-org/hello/git/ref/heads/main`);
  head = ((await answer.json()) as { object: { sha: string } }).object.sha;
});

afterEach(async () => {
  for (const limits of open) limits.close();
  await github.close();
  await redis.stop();
});

/** The parts that each process of the product has of its own: its connection to Redis, and its client of GitHub. */
async function startProcess() {
  const { github: config } = readConfig({ ...github.env, DATA_DIR: '/tmp', PORT: '3000' });
  if (!config) throw new Error('the local GitHub has no App');
  const limits = await connectLimits(redis.url, { appId: config.appId, log });
  open.push(limits);
  const writes = { minuteMs: 3 * MINUTE_MS, patienceMs: 120_000 };
  const app = createGitHubApp(config, { log, limits, writes, retryMs: 20 });
  const checkRuns = createCheckRuns(app, config.appId);
  return { checkRuns, members: createMembers(app, createRepositoryAccess(app)) };
}

const repo = () => ({ installation: github.facts.installation, owner: 'octo-org', name: 'hello' });
const create = async (checkRuns: CheckRuns, priority: WritePriority) => {
  const id = await checkRuns.create(repo(), head, PENDING, priority);
  if (id === 'refused') throw new Error('GitHub refused the text');
  return id;
};

describe('two processes with one Redis', () => {
  it('open 120 pull requests without breaking a limit of GitHub, and an approval during that completes first', async () => {
    const [one, two] = [await startProcess(), await startProcess()];
    const run = await create(one.checkRuns, 'other');
    let opened = 0;
    const burst = Array.from({ length: 120 }, async (_, at) => {
      await create((at % 2 === 0 ? one : two).checkRuns, 'other');
      opened += 1;
    });
    await until('as many as may be opened at once', async () => opened >= 49);
    expect(await two.checkRuns.update(repo(), run, PASSED, 'completion')).toBe(true);
    await create(one.checkRuns, 'takeAway');
    expect(opened).toBeLessThan(120);
    await Promise.all(burst);
    expect(github.rateLimits.violations()).toEqual([]);
  });

  it('send nothing more for an installation before the time that GitHub gave one of them', async () => {
    const [one, two] = [await startProcess(), await startProcess()];
    // On a busy machine, the refusals below take long.
    const seconds = 10;
    github.rateLimits.refuseContent(repo().installation, { seconds });
    const refused = await create(one.checkRuns, 'takeAway').catch((error: AppError) => error);
    expect(refused).toMatchObject({ code: 'githubUnavailable', retryAfter: expect.any(Number) });
    expect((refused as AppError).retryAfter).toBeLessThanOrEqual(seconds);
    const counted = github.rateLimits.counted(repo().installation);
    const more = [one, two].flatMap(({ checkRuns }) => [
      create(checkRuns, 'takeAway'),
      checkRuns.findNewest(repo(), head),
    ]);
    const outcomes = await Promise.allSettled(more);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(github.rateLimits.counted(repo().installation)).toBe(counted);
    await until('GitHub to be asked again', () => create(two.checkRuns, 'other').catch(() => false));
    // The request that GitHub refused, without having said so before.
    expect(github.rateLimits.violations()).toHaveLength(1);
  });

  it('continue with a third of each limit while Redis is away', async () => {
    const { checkRuns } = await startProcess();
    await create(checkRuns, 'other');
    await redis.stop();
    expect(await create(checkRuns, 'completion')).toBeGreaterThan(0);
    redis = await startRedis();
  });

  it('share a pause, of which a shorter one takes nothing away', async () => {
    const connect = () => connectLimits(redis.url, { appId: 1, log });
    const [one, two, three] = await Promise.all([connect(), connect(), connect()]);
    open.push(one, two, three);
    await one.block('key', 60_000);
    await two.block('key', 1_000);
    expect(await three.blockedFor('key')).toBeGreaterThan(10_000);
  });
});
