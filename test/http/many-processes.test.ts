import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type PocketBase from 'pocketbase';
import { createStoreClient } from '../../src/adapters/pocketbase/client.ts';
import { asApp, orgOf, proofBy, registerCodes, registerKey, registerPasskey } from '../support/account.ts';
import { CodeApp, SoftwareAuthenticator } from '../support/authenticator.ts';
import { confirmAddress, mailboxOf } from '../support/mailbox.ts';
import {
  type ManyProcesses,
  newerProgram,
  type ProductProcess,
  startManyProcesses,
} from '../support/processes.ts';
import {
  type Answer,
  approvalOptions,
  approveBy,
  type Pull,
  type Session,
  sendAssertion,
  targetOf,
  until,
} from '../support/product.ts';
import { runToEnd } from '../support/running.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp.ts';
import { superuserOf } from '../support/stores.ts';
import { verifiedEntries } from '../support/written-log.ts';

/** The slowest tests are only in `npm run test:soak`. */
const inSoak = (...test: Parameters<typeof it>) => void (process.env.SOAK && it(...test));
const ROUNDS = process.env.SOAK ? 10 : 2;
const BURST = process.env.SOAK ? 20 : 4;
const APPROVED = process.env.SOAK ? 8 : 2;
const STEP_MS = 30_000;
const REGISTER = { type: 'register-authenticator' } as const;
const NEWER = { version: '99.0.0', commit: 'c0ffee' };
const WAITS = { leaseMs: 3_000, reconcileEveryMs: 4_000, retryEveryMs: 500, sendEveryMs: 300, retryMs: 300 };

let product: ManyProcesses;
let records: PocketBase;
let smtp: SmtpServer;
let mona: Session;
let key: SoftwareAuthenticator;
let octocat: { session: Session; key: SoftwareAuthenticator };
let aheadMs = 0;
/** The approved commits. */
const approved = new Set<string>();
const app = new CodeApp();

beforeAll(async () => {
  smtp = await startSmtpServer();
  const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'otp-guard@example.org', LOG_LEVEL: 'debug' as const };
  product = await startManyProcesses({ waits: WAITS, env: mail });
  records = await superuserOf(product.store);
  mona = await product.signIn('mona');
  await confirmAddress(product, mona, mailboxOf(smtp), 'mona@example.org');
  ({ key } = await registerKey(product, mona, { key: new SoftwareAuthenticator(product.origin) }));
  const stepUp = await proofBy(product, mona, key, REGISTER);
  const registered = await registerCodes(product, mona, { app, code: app.codeAt(Date.now()), stepUp });
  expect(registered.status).toBe(200);
  const session = await product.signIn('octocat');
  octocat = {
    session,
    key: await registerPasskey(product, session, orgOf(product), new SyncedPasskey(product.origin)),
  };
});

/** It doesn't count its uses, so that approvals with it at the same time may arrive in any order. */
class SyncedPasskey extends SoftwareAuthenticator {
  override get(options: { challenge: string }) {
    return super.get(options, { counter: 0 });
  }
}

afterAll(async () => {
  await product?.stop();
  await smtp?.close();
});

const logOf = (one: ProductProcess, event: string) => one.log.filter((line) => line.includes(`"${event}"`));

it('three processes that start simultaneously over an empty store make one schema, and one of them does the rounds', async () => {
  const versions = await records.collection('schema_versions').getFullList();
  expect(versions).toHaveLength(1);
  await until('one to do the rounds', () => product.processes.some((one) => one.hasRounds()));
  type Sweep = { created: string; report: { took: number } };
  const sweeps = await records.collection('reconcile_reports').getFullList<Sweep>({ sort: 'created' });
  const ends = sweeps.map(({ created }) => Date.parse(created));
  sweeps.forEach(
    ({ report }, at) => void expect((ends[at] ?? 0) - report.took).toBeGreaterThan(ends[at - 1] ?? 0),
  );
  for (const one of product.processes) expect(logOf(one, 'request').length).toBeGreaterThan(0);
});

describe('three identical requests at the same instant, of which the balancer gives each process one', () => {
  const thrice = (send: () => Promise<Answer>) => Promise.all([send(), send(), send()]);
  const succeeded = (answers: Answer[]) => answers.filter(({ status }) => status < 300).length;

  /** Time passes, in all, to where no code that was used can be meant. */
  async function later(): Promise<string> {
    aheadMs += 5 * STEP_MS;
    await product.ahead(aheadMs);
    return app.codeAt(Date.now() + aheadMs);
  }

  it('approve once, by an assertion', async () => {
    const pull = await product.pendingPull();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { options } = await approvalOptions(product, mona, targetOf(product, pull));
      const assertion = key.get(options);
      const answers = await thrice(() => sendAssertion(product, mona, targetOf(product, pull), assertion));
      expect([round, succeeded(answers)]).toEqual([round, 1]);
    }
    expect(await product.runs(pull.head.sha)).toHaveLength(1);
    approved.add(`${mona.record.github_id} ${pull.head.sha}`);
  });

  it('approve once, by a code', async () => {
    const pull = await product.pendingPull();
    for (let round = 0; round < ROUNDS; round += 1) {
      const body = { ...targetOf(product, pull), otp: await later(), accessToken: mona.accessToken };
      const answers = await thrice(() => product.call('/github-totp-check', body, mona));
      expect([round, succeeded(answers)]).toEqual([round, 1]);
    }
    approved.add(`${mona.record.github_id} ${pull.head.sha}`);
  });

  it('end a session in all', async () => {
    const hubot = await product.signIn('hubot');
    const call = () => product.call('/github-check-webauthn-params', {}, hubot);
    expect((await thrice(call)).map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(succeeded(await thrice(() => product.call('/logout', {}, hubot)))).toBeGreaterThan(0);
    expect((await thrice(call)).map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it('count the calls of a person together', async () => {
    const hubot = await product.signIn('hubot');
    const body = { id: 'a'.repeat(15), type: 'security-key', label: 'Another name' };
    const renames = Array.from({ length: 5 }, () =>
      thrice(() => product.call('/github-edit-authenticator', body, hubot)),
    );
    const statuses = (await Promise.all(renames)).flat().map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect(statuses.filter((status) => status === 404)).toHaveLength(10);
  });
});

describe('when something ends in the middle of a burst and of approvals', () => {
  /** As a person approves: if the page shows an error, they try again. Adds what they saw to `errors`. */
  async function approve(pull: Pull, errors: string[], { session, key: own } = octocat): Promise<void> {
    const answers: string[] = [];
    const attempt = async () => {
      if (answers.length > 0) await until('a process to be ready', isReady);
      const seen = await tryToApprove().catch((error: Error) => `${error.message} ${error.cause ?? ''}`);
      if (seen !== '') errors.push(seen);
      answers.push(seen);
      return seen === '';
    };
    const tryToApprove = async () => {
      const { status, text } = await approveBy(product, session, own, pull);
      return status === 200 ? '' : `${status} ${text}`;
    };
    await until(`the approval of #${pull.number}`, attempt).catch((error: Error) => {
      const logged = product.processes.flatMap((one) => logOf(one, 'request_failed').slice(-3));
      throw new Error([error.message, ...answers, ...logged].join('\n'));
    });
    approved.add(`${session.record.github_id} ${pull.head.sha}`);
  }

  const isReady = async () => (await fetch(`${product.origin}/readyz`).catch(() => null))?.ok;
  const conclusions = async ({ head }: Pull) =>
    (await product.runs(head.sha)).map(({ conclusion }) => conclusion);

  /**
   * Opens pull requests and approves others while `disturb` ends something, and expects one right run for each. Returns
   * the errors that people saw.
   */
  async function throughout(disturb: () => Promise<void>): Promise<string[]> {
    const errors: string[] = [];
    const waiting: Pull[] = [];
    for (let count = 0; count < APPROVED; count += 1) waiting.push(await product.pendingPull());
    const opened: Promise<Pull>[] = Array.from({ length: BURST }, () => product.openPull());
    const approvals = waiting.map((pull) => approve(pull, errors));
    await Promise.race(opened);
    await disturb();
    const pulls = await Promise.all(opened);
    await Promise.all(approvals);
    await until('each check run', async () =>
      (await Promise.all([...pulls, ...waiting].map(conclusions))).every(({ length }) => length > 0),
    );
    await until('each approved run', async () => {
      const all = (await Promise.all(waiting.map(conclusions))).flat();
      return all.every((conclusion) => conclusion === 'success');
    });
    expect(await Promise.all(pulls.map(conclusions))).toEqual(pulls.map(() => [null]));
    expect(await Promise.all(waiting.map(conclusions))).toEqual(waiting.map(() => ['success']));
    return errors;
  }

  /** Webhooks that GitHub couldn't deliver since then. */
  async function undelivered(since: Date): Promise<object[]> {
    type Delivery = { delivered_at: string; event: string; status: string };
    const failed = await asApp<Delivery[]>(
      product,
      'GET',
      '/app/hook/deliveries?status=failure&per_page=100',
    );
    return failed.filter(({ delivered_at }) => Date.parse(delivered_at) >= since.getTime());
  }

  it('a process is killed: another one takes over its rounds', async () => {
    const [holder] = product.processes.filter((one) => one.hasRounds());
    await throughout(async () => holder?.kill());
    await until('another one to do the rounds', () => product.processes.some((one) => one.hasRounds()));
    expect(product.processes).toHaveLength(2);
  });

  inSoak('each process is replaced by one of a newer version, and nobody sees an error', async () => {
    const program = newerProgram(product.dataDir, NEWER);
    const since = new Date();
    const health = async () => {
      const answer = await fetch(`${product.origin}/healthz`);
      return answer.ok ? ((await answer.json()) as { version: string }).version : String(answer.status);
    };
    const seen = new Set<string>();
    const errors: string[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) seen.add(await health());
    })();
    const replace = async (old: ProductProcess) => {
      expect(await old.stop()).toBe(0);
      const fresh = await product.start(old.port, program);
      await product.ahead(aheadMs);
      await until(
        'it to be ready',
        async () => (await fetch(`http://127.0.0.1:${fresh.port}/readyz`).catch(() => null))?.ok,
      );
    };
    try {
      for (const old of [...product.processes]) errors.push(...(await throughout(() => replace(old))));
    } finally {
      isOver = true;
      await asking;
    }
    expect([errors, await undelivered(since)]).toEqual([[], []]);
    expect([...seen].filter((version) => version !== NEWER.version)).toHaveLength(1);
    expect(seen).toContain(NEWER.version);
  });

  inSoak('Redis is stopped and started', async () => {
    await throughout(() => product.redis.stop());
    await product.redis.start();
    for (const one of product.processes)
      await until('Redis to be back', () => logOf(one, 'redis_back').length > 0);
  });

  inSoak('PocketBase is killed and started', async () => {
    await throughout(async () => {
      await product.store.kill();
      await product.store.start();
    });
  });
});

it('nothing was lost or doubled: approvals, log entries, e-mails', async () => {
  const stored = await records.collection('approvals').getFullList<{ user_id: number; head: string }>();
  expect(stored.map(({ user_id, head }) => `${user_id} ${head}`).sort()).toEqual([...approved].sort());

  const client = createStoreClient(product.store);
  const org = await records.collection('organizations').getFirstListItem('name = "octo-org"');
  const entries = await verifiedEntries(client, { id: org.id, orgId: product.github.facts.orgID });
  const logged = entries.filter(({ activity }) => /Collect$/.test(activity));
  expect(logged).toHaveLength(approved.size);

  await until(
    'each e-mail',
    async () => (await records.collection('notices').getList(1, 1)).totalItems === 0,
  );
  const toMona = smtp.messages.filter(({ envelope }) => envelope.to.includes('mona@example.org'));
  const added = toMona.filter(({ parsed }) => parsed.subject === 'An authenticator was added');
  expect(added).toHaveLength(2);
});

inSoak('a standby takes over from the newest backup after the store and its folder are gone', async () => {
  // The processes write more than GitHub allows; the command would wait for them, and counts alone instead.
  const env = { ...product.env, REDIS_URL: undefined, LOG_LEVEL: 'warn' };
  const command = async (...args: string[]) => {
    const { code, stderr } = await runToEnd(env, { args });
    if (code !== 0) throw new Error(`${args[0]}: ${code} ${stderr.slice(-2_000)}`);
  };
  const backup = join(product.dataDir, 'newest.zip.age');
  await command('backup', backup);
  const late = await product.pendingPull();
  expect((await approveBy(product, mona, key, late)).status).toBe(200);

  await product.store.kill();
  product.store.erase();
  await product.store.start();
  await command('restore', backup);
  records = await superuserOf(product.store);
  const ready = async () => (await fetch(`${product.origin}/readyz`).catch(() => null))?.ok;
  await until('the processes to be ready', ready);
  const stored = await records.collection('approvals').getFullList<{ user_id: number; head: string }>();
  expect(stored.map(({ user_id, head }) => `${user_id} ${head}`).sort()).toEqual([...approved].sort());
  // The backup doesn't have this approval: its check waits again, and the same key approves again.
  await until('the check to wait again', async () => {
    const [latest] = (await product.runs(late.head.sha)).sort((one, other) => other.id - one.id);
    return latest?.conclusion === null;
  });
  mona = await product.signIn('mona');
  expect((await approveBy(product, mona, key, late)).status).toBe(200);
  const org = await records.collection('organizations').getFirstListItem('name = "octo-org"');
  await verifiedEntries(createStoreClient(product.store), {
    id: org.id,
    orgId: product.github.facts.orgID,
  });
});
