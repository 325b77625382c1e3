import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { renderMail } from '../../src/adapters/mail/render.ts';
import { createStoreClient } from '../../src/adapters/pocketbase/client.ts';
import { findProduct } from '../../src/adapters/pocketbase/process/process-marker.ts';
import {
  findOrReplaceStore,
  findOrStartStore,
  startStore,
} from '../../src/adapters/pocketbase/process/start-store.ts';
import { createLeases } from '../../src/adapters/pocketbase/records/leases.ts';
import { recordsOf } from '../../src/adapters/pocketbase/records/records-of.ts';
import { collections } from '../../src/adapters/pocketbase/schema.ts';
import { backup } from '../../src/cli/backup.ts';
import { confirmOwnerOf } from '../../src/cli/confirm-owner.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { doctor } from '../../src/cli/doctor.ts';
import { forgetPerson } from '../../src/cli/forget-person.ts';
import { restore } from '../../src/cli/restore.ts';
import { rotateKey } from '../../src/cli/rotate-key.ts';
import { rotateSigningKey } from '../../src/cli/rotate-signing-key.ts';
import { sweep } from '../../src/cli/sweep.ts';
import { tryRestore } from '../../src/cli/try-restore.ts';
import type { KeyList, LogExport, ReceiptsAnswer } from '../../src/contract/receipts.ts';
import { noticeMail } from '../../src/notices/notice-mail.ts';
import {
  orgOf,
  proofBy,
  registerCodes,
  registerKey,
  registerPasskey,
  setPolicy,
} from '../support/account.ts';
import { APP_KEY } from '../support/app-key.ts';
import { CodeApp, type SoftwareAuthenticator } from '../support/authenticator.ts';
import { startLocalGitHub } from '../support/built.ts';
import {
  approvalOptions,
  approveBy,
  clientOf,
  freePort,
  type Pull,
  type Session,
  sendAssertion,
  type TestProduct,
  targetOf,
  until,
} from '../support/product.ts';
import { bundleOf } from '../support/program.ts';
import { runHere, written } from '../support/run-here.ts';
import { type Env, processesOf, Running } from '../support/running.ts';
import { startS3 } from '../support/s3.ts';
import {
  asideOf,
  backupsIn,
  removeScratches,
  scratch,
  scratchWithStore,
  settingsOf,
} from '../support/stored.ts';
import { GITHUB, silent } from '../support/stores.ts';
import { LONG_PATIENCE_MS } from '../support/until.ts';
import { createWalk } from '../support/walk-through.ts';
import { verifiedEntries } from '../support/written-log.ts';

// Each test runs several commands one after the other.
jest.setTimeout(180_000);

/** Her login, and not four letters in the middle of a signature or an id. */
const NAMED = /(?<![\w+/-])mona(?![\w+/-])/i;

/** The product as `npm start` runs it, in which mona has a key. */
let world: TestProduct;
let env: Env;
let product: Running;
const commands: Running[] = [];
let mona: Session;
let key: SoftwareAuthenticator;
let github: LocalGitHub;
let octocatsKey: SoftwareAuthenticator;
let walk: ReturnType<typeof createWalk>;
const app = new CodeApp();

beforeAll(async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const crowd = { members: 2, repositories: 0 };
  github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: origin, crowd });
  const dataDir = scratchWithStore();
  world = { ...clientOf({ origin, github }), dataDir, github, log: [], stop: async () => undefined };
  env = { ...github.env, PUBLIC_URL: origin, PORT: String(port), HOST: 'localhost', DATA_DIR: dataDir };
  product = new Running(env);
  await product.ready();
  mona = await world.signIn('mona');
  key = await registerPasskey(world, mona);
});
afterAll(async () => {
  for (const one of [product, ...commands]) await one?.clear();
  await github?.close();
  removeScratches();
});

/** Runs a command to its end; `answer` is its line of JSON. */
async function command(work: (printing: { json: true }) => Promise<unknown>, given: Env = env) {
  const { code, out, err } = await runHere(() => work({ json: true }), { env: given, folder: scratch() });
  const lines = out.split('\n').filter((line) => line !== '');
  expect(lines.length).toBeLessThanOrEqual(1);
  const [line] = lines;
  const answer: Record<string, unknown> | null = line === undefined ? null : JSON.parse(line);
  return { code, answer, said: err.split('\n').filter((one) => one !== '') };
}

const bucketOf = ({ config }: Awaited<ReturnType<typeof startS3>>, secret: string) => {
  const url = new URL(`/${config.bucket}/${config.prefix}?region=${config.region}`, config.endpoint);
  url.username = config.keyId;
  url.password = secret;
  return { BACKUP_S3_URL: url.href };
};

/** The findings of `otp-guard doctor`, by the name of the check. It prints no secret, and creates nothing. */
async function diagnose(change: Env = {}, mail?: string) {
  const folder = scratch();
  const work = () => doctor({ json: true, ...(mail !== undefined && { mail }) });
  const { code, out, err } = await runHere(work, { env: { ...env, ...change }, folder });
  for (const secret of [github.env.WEBHOOK_SECRET, github.env.GITHUB_CLIENT_SECRET, 'a-password'])
    expect(out + err).not.toContain(secret);
  expect([err, readdirSync(folder)]).toEqual(['', []]);
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return { code, found: Object.fromEntries(findings.map((each) => [each.check, each])), findings };
}

/** The settings of the commands that run next to the product. */
const settings = () => settingsOf(world.dataDir, { ...github.env, SECRET_KEY: '' });
const noteOf = ({ dataDir }: { dataDir: string }) => join(dataDir, 'running.json');
const storesOf = () => processesOf(`--dir=${world.dataDir}`);

/** The newest run on a head, once it is in this state. */
const shows = (pull: Pull, conclusion: string | null) =>
  until(
    `a run that is ${conclusion ?? 'waiting'}`,
    async () => {
      const runs = await world.runs(pull.head.sha);
      const newest = runs.toSorted((one, other) => other.id - one.id)[0];
      return newest?.conclusion === conclusion && newest;
    },
    LONG_PATIENCE_MS,
  );

const approve = (session: Session, pull: Pull, by = key) => approveBy(world, session, by, pull);

const approveByCode = (session: Session, otp: string, pull: Pull) =>
  world.call(
    '/github-totp-check',
    { ...targetOf(world, pull), otp, accessToken: session.accessToken },
    session,
  );

/** Every record of the product's store; throws if an entry of a log isn't as it was written. */
async function readLog() {
  const address = findProduct(world.dataDir);
  if (!address) throw new Error('no store is running');
  const client = createStoreClient(address);
  const leaves: string[] = [];
  for (const { id, org_id: orgId } of await recordsOf(client, 'organizations').all({}))
    leaves.push(...(await verifiedEntries(client, { id, orgId })).map(({ leaf }) => leaf));
  const all: Record<string, unknown[]> = {};
  // GitHub's own data about open pull requests stays.
  const names = collections(GITHUB).map(({ name }) => name);
  for (const name of names.filter((one) => one !== 'open_pulls'))
    all[name] = await client.run((records) => records.collection(name).getFullList());
  return { leaves, all };
}

const exportLog = async (owner: Session) =>
  (await world.call('/log-export', orgOf(world), owner)).json<LogExport>();

/** Registers a key for which this person vouches with theirs. */
async function registerVouched(login: string, by: Session, byKey: SoftwareAuthenticator) {
  const person = await world.signIn(login);
  const made = await registerKey(world, person);
  const { id: authenticatorID } = made.json<{ id: string }>();
  const stepUp = await proofBy(world, by, byKey, { type: 'vouch', authenticatorID });
  const body = { ...orgOf(world), authenticatorID, stepUp, accessToken: by.accessToken };
  expect((await world.call('/github-vouch', body, by)).text).toBe('ok');
  return [person, made.key] as const;
}

describe('a command', () => {
  it.each(['', '{"url":"nowhere"}'])('takes a note %p for no running store', async (text) => {
    const dataDir = scratch();
    writeFileSync(noteOf({ dataDir }), text);
    expect(findProduct(dataDir)).toBeNull();
  });
});

describe('next to a running product', () => {
  it('the address of its store is readable to its owner alone', () => {
    expect(statSync(noteOf(world)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(noteOf(world), 'utf8'))).toMatchObject({ pid: product.child.pid });
  });

  it('doctor looks at the product, GitHub and mail, and names all wrong settings together', async () => {
    const s3 = await startS3();
    const fine = await diagnose(bucketOf(s3, s3.config.secret));
    expect([...s3.objects.keys()]).toEqual([]);
    expect(readdirSync(world.dataDir).filter((name) => name.includes('doctor'))).toEqual([]);
    expect(fine.findings.filter(({ status }) => status === 'problem')).toEqual([]);
    // GitHub may have sent webhooks while nobody listened yet, so those are worth a note.
    for (const name of [
      'running',
      'record store',
      'address',
      'reach',
      'clock',
      'App',
      'sign-in',
      'organizations',
      'rights',
    ])
      expect(fine.found[name]).toMatchObject({ check: name, status: 'ok' });
    const away = `localhost:${await freePort()}`;
    const mailless = { SMTP_URL: `smtp://a:a-password@${away}`, MAIL_FROM: 'a@example.org' };
    const other = { ...mailless, REDIS_URL: `redis://:a-password@${away}`, APP_ID: '7' };
    const { code, found } = await diagnose(other, 'mona@example.org');
    expect({ code, mail: found.mail?.status, redis: found.redis?.status, app: found.App?.text }).toEqual({
      code: 1,
      mail: 'problem',
      redis: 'problem',
      app: expect.stringMatching(/^GitHub refused the App: APP_ID/),
    });
    const taken = createServer((socket) => socket.destroy()).listen(0, 'localhost');
    await once(taken, 'listening');
    const tried = await diagnose({
      PORT: String((taken.address() as AddressInfo).port),
      SECRET_KEY: 'x'.repeat(32),
      GITHUB_CLIENT_SECRET: 'a-password',
      BACKUP_DIR: join(noteOf(world), 'backups'),
      ...bucketOf(s3, 'another-secret'),
    });
    taken.close();
    await s3.stop();
    const problems = tried.findings.filter(({ status }) => status === 'problem');
    expect(problems.map(({ check, text }) => `${check}: ${text}`)).toEqual([
      expect.stringMatching(/^running: What uses the port of \S+ doesn't answer/),
      expect.stringMatching(/^record store: SECRET_KEY is not the key/),
      expect.stringMatching(/^sign-in: GitHub refused the client secret/),
      expect.stringMatching(/^backups: No daily backup can be written to .*ENOTDIR/),
      expect.stringMatching(
        /^backups: No backup can be copied to S3: the S3 storage answered 403 SignatureDoesNotMatch/,
      ),
    ]);
    const wrong = await diagnose({ PORT: 'x', LOG_LEVEL: 'loud' });
    expect([wrong.code, wrong.findings.map(({ text }) => text.split(':')[0])]).toEqual([
      1,
      ['PORT', 'LOG_LEVEL'],
    ]);
  });

  it('an auditor walks from a line of git log to a person, as docs/receipts/walk-through.md shows it', async () => {
    const octocat = await world.signIn('octocat');
    octocatsKey = await registerPasskey(world, octocat);
    await setPolicy(world, octocat, octocatsKey, { enrolment: { mode: 'vouched' } });
    await world.asAdmin('PUT', '/orgs/octo-org/memberships/member-0001', { role: 'admin' });
    const owner = await registerVouched('member-0001', octocat, octocatsKey);
    const [member, membersKey] = await registerVouched('member-0002', ...owner);
    const keys = (await (await fetch(`${world.origin}/.well-known/otp-guard.json`)).json()) as KeyList;
    const pull = await world.pendingPull('Ask me next year');
    expect((await approve(member, pull, membersKey)).status).toBe(200);
    await shows(pull, 'success');
    const PR = String(pull.number);
    const merge = await world.asAdmin<{ sha: string }>('PUT', `/repos/octo-org/hello/pulls/${PR}/merge`);
    const [MERGE, RECEIPT] = [merge.sha.slice(0, 8), `otp-guard-hello-${PR}-${pull.head.sha}.json`];
    walk = createWalk(world, scratch(), { MERGE, PR, REPO: 'octo-org/hello', GUARD: world.origin, RECEIPT });
    await walk.copy(merge.sha);
    walk.git(`update-ref HEAD ${merge.sha}`);
    walk.git(`update-ref refs/pull/${PR}/head ${pull.head.sha}`);
    const answer = await world.call('/receipts', targetOf(world, pull), member);
    const exported = await exportLog(octocat);
    const checkpoint = keys.logs?.find(({ org }) => org === github.facts.orgID)?.checkpoint ?? '';
    walk.write(RECEIPT, answer.json<ReceiptsAnswer>().receipts[0]);
    walk.write('keys.json', keys);
    walk.write('export.json', exported);
    const mail = { ...noticeMail('policyChanged', { org: 'octo-org', checkpoint }), org: 'octo-org' };
    const { text } = renderMail({ ...mail, unsubscribeUrl: null, imageId: null, origin: world.origin });
    walk.write('checkpoint.txt', text);
    const walked = await walk.run('');
    expect([walked.code, walked.shape]).toEqual([0, walked.documented]);
    expect(walked.out.replace(/ \(GitHub account \d+\)/g, '')).toContain(
      'member-0002 was vouched for by member-0001, whose key was vouched for by octocat.',
    );
    expect(walked.out).toContain(`\n${pull.head.sha}\n${pull.head.sha}\nproved`);
  });

  it('a restore of an older state takes back what came after it, and ends what was under way', async () => {
    const octocat = await world.signIn('octocat');
    const stepUp = await proofBy(world, octocat, octocatsKey, { type: 'register-authenticator' });
    const further = { app, code: app.codeAt(Date.now()), stepUp };
    const registered = await registerCodes(world, octocat, further);
    expect(registered.status).toBe(200);
    const waiting = await world.pendingPull('Waits over the restore');
    const byKey = await world.pendingPull('Approved by a key after the backup');
    const byCode = await world.pendingPull('Approved by a code after the backup');
    // A challenge that was given out before the copy was made.
    const { options } = await approvalOptions(world, mona, targetOf(world, waiting));
    const signed = key.get(options);
    const path = join(scratch(), 'made', 'older.zip');
    const file = `${path}.age`;
    const made = await command((printing) => backup(path, printing));
    const answer = { backedUp: true, file, bytes: statSync(file).size };
    expect(made).toEqual({ code: 0, answer, said: [] });

    const drill = await command((printing) => tryRestore(file, printing));
    const held = { restorable: true, people: 4, approvals: expect.any(Number), ignored: 0 };
    expect(drill).toMatchObject({ code: 0, said: [], answer: held });

    expect((await approve(mona, byKey)).status).toBe(200);
    // The next one, which isn't used yet: taken until the one after it has ended.
    const byNext = await approveByCode(octocat, app.codeAt(Date.now() + 30_000), byCode);
    expect(byNext.status).toBe(200);
    await shows(byKey, 'success');
    await shows(byCode, 'success');
    const restored = await command((printing) => restore(file, printing));
    expect(restored).toMatchObject({
      code: 0,
      answer: { restored: true, ignored: 0, compared: true },
    });

    // No code that could have been used after the copy was made is taken. First, because codes of a minute later are.
    const octocatAgain = await world.signIn('octocat');
    const again = await approveByCode(octocatAgain, app.codeAt(Date.now()), byCode);
    expect([again.status, again.text]).toEqual([403, 'This code was already used. Wait for the next one.']);

    // An audit finds out that the log was rolled back: GitHub shows what came after the copy.
    walk.write('export.json', await exportLog(octocatAgain));
    const rewritten = /FAILED.*(The log was rewritten|shows \d+ entries, this log has \d+:)/;
    expect((await walk.run('--github')).out).toMatch(rewritten);

    // Every session of before has ended.
    for (const session of [mona, octocat]) {
      const answer = await world.call('/github-check-webauthn-params', {}, session);
      expect([answer.status, answer.text]).toEqual([401, 'missing auth token']);
    }

    // Heads that lost their approval wait again.
    for (const pull of [byKey, byCode]) {
      await shows(pull, null);
      const runs = await world.runs(pull.head.sha);
      expect(runs.map(({ conclusion }) => conclusion).sort()).toEqual([null, 'success'].sort());
    }
    expect(await world.runs(waiting.head.sha)).toHaveLength(1);

    // No answer to a challenge of before is taken.
    mona = await world.signIn('mona');
    const late = await sendAssertion(world, mona, targetOf(world, waiting), signed);
    expect([late.status, late.text]).toEqual([
      403,
      "This request doesn't belong to you or to this page. Open the page again.",
    ]);
    await shows(byCode, null);
    await shows(waiting, null);

    // The product continues: it never ended, and takes approvals of pull requests of before and of now.
    expect(product.code).toBeUndefined();
    expect((await fetch(`${world.origin}/readyz`)).status).toBe(200);
    for (const pull of [byKey, await world.pendingPull('After the restore')]) {
      expect((await approve(mona, pull)).status).toBe(200);
      await shows(pull, 'success');
    }
    expect(backupsIn(world.dataDir)).toEqual([]);
  });

  it('a sweep waits for the round of another process, and says so', async () => {
    const address = findProduct(world.dataDir);
    if (!address) throw new Error('no store is running');
    let sweeping: ReturnType<typeof command> | undefined;
    await createLeases(createStoreClient(address)).during('sweep', async () => {
      sweeping = command(sweep);
      await until('it to say for what it waits', () => written.err !== '', LONG_PATIENCE_MS);
    });
    expect(await sweeping).toMatchObject({
      code: 0,
      said: [expect.stringMatching(/^Waiting until the reconciliation that another process is running/)],
      answer: { swept: true },
    });
  });

  it('an interrupted restore lets nobody use the records until a start has finished it', async () => {
    const file = join(scratch(), 'older.zip.age');
    expect((await command((printing) => backup(file, printing))).code).toBe(0);
    const pull = await world.pendingPull('Approved before a restore that was interrupted');
    expect((await approve(mona, pull)).status).toBe(200);
    await shows(pull, 'success');
    // After the records were replaced.
    const input = JSON.stringify({ path: file, signal: 'SIGKILL', at: 'seen' });
    const killed = new Running(env, { program: bundleOf('restore-process'), args: [input] });
    commands.push(killed);
    await killed.ended();
    expect(killed.child.signalCode).toBe('SIGKILL');

    const isDown = async () => (await fetch(`${world.origin}/readyz`)).status === 503;
    await until('the product to say that it cannot work', isDown, LONG_PATIENCE_MS);
    const interrupted = expect.stringMatching(
      /^A restore was interrupted, .* or run otp-guard restore <file>/,
    );
    const { code, said } = await command(sweep);
    expect([code, said]).toEqual([1, [interrupted]]);
    expect((await diagnose()).found['record store']).toMatchObject({ status: 'problem', text: interrupted });

    product.child.kill('SIGTERM');
    await product.ended();
    commands.push(product);
    product = new Running(env);
    await product.ready();
    expect(product.stderr).toContain('"restore_finished"');
    // The check that the backup doesn't know was genuine: it waits again, and nobody reports it as forged.
    await shows(pull, null);
    expect(product.stderr).not.toContain('"forged_check"');
    mona = await world.signIn('mona');
    expect((await approve(mona, pull)).status).toBe(200);
    await shows(pull, 'success');
  });

  it('a new key replaces the old one while it runs, and people notice nothing', async () => {
    const keyFile = join(world.dataDir, 'secret.key');
    const modeOf = () => statSync(keyFile).mode & 0o777;
    const [old, modeBefore] = [readFileSync(keyFile, 'utf8'), modeOf()];
    // Both signing keys stay published, and the sealed ones can be opened with the new key.
    const signing = await command(rotateSigningKey);
    expect(signing.answer).toMatchObject({
      rotated: true,
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      published: 2,
    });
    const { code, answer, said } = await command(rotateKey);
    expect({ code, said, answer }).toMatchObject({
      code: 0,
      said: [],
      answer: { rotated: true, records: { resealed: expect.any(Number), refused: 0 } },
    });
    const fresh = readFileSync(keyFile, 'utf8');
    expect([fresh === old, fresh.includes(',')]).toEqual([false, false]);
    expect([modeBefore, modeOf()]).toEqual([0o600, 0o600]);
    const pull = await world.pendingPull('After the rotation');
    expect((await approve(mona, pull)).status).toBe(200);
    await shows(pull, 'success');
    expect(product.stderr).not.toContain('was not written by OTP Guard');
    // The list with this organization's log wasn't read before, so it isn't one from a minute ago.
    const published = `${world.origin}/.well-known/otp-guard.json?org=${github.facts.otherOrgID}`;
    const { keys } = (await (await fetch(published)).json()) as KeyList;
    expect(keys.map(({ id, retired }) => [id, retired === null])).toEqual([
      [signing.answer?.id, true],
      [expect.any(String), false],
    ]);
  });

  it('an owner who is locked out is erased, registers again and is confirmed by the digits they read out', async () => {
    const octocat = await world.signIn('octocat');
    const { otherOrg: org, otherOrgID: orgID } = github.facts;
    const about = { org, orgID };
    const first = await registerPasskey(world, octocat, about);
    await setPolicy(world, octocat, first, { enrolment: { mode: 'vouched' } }, about);
    // Octocat loses this key, and without it can neither register another one nor remove it.
    expect((await registerKey(world, octocat, about)).status).toBe(403);
    const forget = () => command((printing) => forgetPerson('octocat', { ...printing, yes: true }));
    expect(await forget()).toMatchObject({ code: 0, said: [] });
    const again = await world.signIn('octocat');
    await registerPasskey(world, again, about);
    const confirm = (code?: string) =>
      command((printing) => confirmOwnerOf(org, 'octocat', { ...printing, ...(code && { code }) }));
    const { answer } = await confirm();
    const [{ comparison } = { comparison: '' }] = (answer?.waiting ?? []) as { comparison: string }[];
    expect(comparison).toMatch(/^\d{3} \d{3}$/);
    const code = comparison.replace(' ', '');
    const wrong = code === '000000' ? '000001' : '000000';
    expect(await confirm(wrong)).toMatchObject({ code: 1, answer: null });
    expect(await confirm(code)).toMatchObject({ code: 0, said: [] });
    const enrolment = await world.call('/organization-enrolment', about, again);
    expect(enrolment.json()).toMatchObject({ active: 1, own: [], mayVouch: true });
  });

  it('a person is erased from every record, and each proof of the log still holds', async () => {
    const pull = await world.pendingPull();
    expect((await approve(mona, pull)).status).toBe(200);
    await shows(pull, 'success');
    const before = await readLog();
    const naming = ({ all }: typeof before) =>
      Object.values(all)
        .flat()
        .filter((one) => NAMED.test(JSON.stringify(one)))
        .map((one) => (one as { id: string }).id);
    const forget = (login: string, yes = false) =>
      command((printing) => forgetPerson(login, { ...printing, yes }));
    expect(await forget('nobody-here')).toMatchObject({ code: 1, answer: null });
    expect((await forget('Mona')).answer).toMatchObject({
      records: { gh_users: 1 },
      log: expect.any(Number),
    });
    // Work in the background may write records in the meantime, but none of them may stop naming her.
    expect(naming(await readLog())).toEqual(expect.arrayContaining(naming(before)));
    const { code, answer, said } = await forget('mona', true);
    expect({ code, said, answer }).toMatchObject({
      code: 0,
      said: [],
      answer: { withdrawn: expect.any(Number) },
    });
    await shows(pull, null);
    const after = await readLog();
    expect(after.leaves).toEqual(expect.arrayContaining(before.leaves));
    expect([NAMED.test(JSON.stringify(before.all)), NAMED.exec(JSON.stringify(after.all))]).toEqual([
      true,
      null,
    ]);
    expect((await forget('mona')).said).toEqual([expect.stringMatching(/^No record names mona/)]);
    const { orgID } = github.facts;
    const keys = await fetch(`${world.origin}/.well-known/otp-guard.json?org=${orgID}`);
    walk.write('keys.json', await keys.json());
    walk.write('export.json', await exportLog(await world.signIn('octocat')));
    // GitHub still shows that a backup was restored before.
    const { out } = await walk.run('--github');
    expect(out).toMatch(/^proved {3}entries: /m);
    expect(out).toMatch(/^claimed {2}erased: \d+ entr(y|ies) had a person erased/m);
    expect(out).not.toMatch(/FAILED {3}(entry|export)/);
    expect((await world.call('/organization', { orgID }, mona)).status).toBe(401);
  });

  it('a second product does not start over the same folder', async () => {
    await expect(startStore(settings(), silent)).rejects.toThrow(
      `DATA_DIR: another OTP Guard is already running over ${world.dataDir}.`,
    );
    expect((await fetch(`${world.origin}/readyz`)).status).toBe(200);
    expect(JSON.parse(readFileSync(noteOf(world), 'utf8'))).toMatchObject({ pid: product.child.pid });
  });

  it('a command waits for a store that its product starts again', async () => {
    for (const pid of storesOf()) process.kill(pid, 'SIGKILL');
    const { url } = JSON.parse(readFileSync(noteOf(world), 'utf8'));
    expect((await findOrStartStore(settings(), silent)).address.url).toBe(url);
  });

  it('a command takes no store that hangs out of the hands of its product, and puts nothing of it aside', async () => {
    await until('its store', async () => storesOf().length > 0, LONG_PATIENCE_MS);
    const hanging = storesOf();
    for (const pid of hanging) process.kill(pid, 'SIGSTOP');
    // A thread that waits for a processor stops later, and may answer until then.
    const state = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0];
    try {
      await until('it to stop', async () => hanging.every((pid) => state(pid) === 'T'), LONG_PATIENCE_MS);
      await expect(findOrReplaceStore(settings(), silent, { patienceMs: 0 })).rejects.toThrow(
        /does not answer\. Try again\.$/,
      );
    } finally {
      for (const pid of hanging) process.kill(pid, 'SIGCONT');
    }
    expect(asideOf(world.dataDir)).toEqual([]);
    expect(storesOf()).toEqual(hanging);
  });

  it('doctor reads the schema of a store that nobody runs, and a missing one stays missing', async () => {
    product.child.kill('SIGKILL');
    await until('the record store to end', async () => storesOf().length === 0, LONG_PATIENCE_MS);
    const { found } = await diagnose();
    expect([found.running?.status, found.reach?.status]).toEqual(['note', 'unknown']);
    expect(found['record store']).toMatchObject({ status: 'ok' });
    expect(processesOf(world.dataDir)).toEqual([]);
    const none = join(scratch(), 'data');
    expect((await diagnose({ DATA_DIR: none })).found['record store']).toMatchObject({ status: 'note' });
    expect(existsSync(none)).toBe(false);
  });

  it('a sweep after the product was killed starts the store, and ends it again', async () => {
    const pull = await world.openPull('While nobody was there');
    const { code, answer, said } = await command(sweep);
    expect([code, answer, said]).toMatchObject([0, { swept: true, faults: [] }, []]);
    expect(answer?.repaired).toContainEqual({ repository: 'octo-org/hello', head: pull.head.sha });
    await shows(pull, null);
    expect(processesOf(world.dataDir)).toEqual([]);
    expect(existsSync(noteOf(world))).toBe(false);
  });
});
