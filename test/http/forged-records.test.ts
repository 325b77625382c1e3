import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createMergeGroups } from '../../src/adapters/pocketbase/approvals/merge-groups.ts';
import { upgradeStore } from '../../src/adapters/pocketbase/backups/write-backup.ts';
import type { StoreClient } from '../../src/adapters/pocketbase/client.ts';
import {
  type CoveredCollection,
  createRecordSeals,
} from '../../src/adapters/pocketbase/records/record-seals.ts';
import { rotateRecords } from '../../src/adapters/pocketbase/rotate-records.ts';
import { statementChallenge } from '../../src/approvals/approve/make-statement.ts';
import { DEFAULT_POLICY } from '../../src/contract/default-policy.ts';
import type { KeyList, ReceiptsAnswer } from '../../src/contract/receipts.ts';
import type { Statement } from '../../src/contract/statement.ts';
import { UNMEETABLE_POLICY } from '../../src/policies/policy.ts';
import { createRecordMac, sha256OfJson } from '../../src/shared/crypto.ts';
import { orgOf, otherOrgOf, proofBy, registerCodes, registerPasskey } from '../support/account.ts';
import { CodeApp, SoftwareAuthenticator } from '../support/authenticator.ts';
import { aGroup, HEAD } from '../support/fakes.ts';
import {
  approvalOptions,
  approveBy,
  type Pull,
  type Session,
  sendAssertion,
  type TestProduct,
  targetOf,
  until,
} from '../support/product.ts';
import { type ProductOverStore, startProductOverStore } from '../support/product-over-store.ts';
import { removeScratches, scratch, settingsOf } from '../support/stored.ts';
import { GITHUB, recordSeals, SECRET_KEY, signingKeysOf, startMigratedStore } from '../support/stores.ts';

type Row = Record<string, unknown> & { id: string };

type Forgery = [what: string, forge: (pull: Pull) => object, reason: string];

/** Cases that only `npm run test:soak` tries. */
const inSoak = <T>(...cases: T[]) => (process.env.SOAK ? cases : []);

const NEXT_KEY = 'another-key-of-more-than-32-characters';

/** An attacker with the record store's superuser, but without SECRET_KEY. */
describe('access to the database alone', () => {
  let over: ProductOverStore;
  let product: TestProduct;
  let mona: Session;
  let octocat: Session;
  let monasKey: SoftwareAuthenticator;
  /** The record of mona's genuine approval. */
  let genuine: Row;
  let approvedPull: Pull;

  beforeAll(async () => {
    over = await startProductOverStore({ waits: { retryEveryMs: 300, checkLogEveryMs: 500 } });
    product = over;
    [mona, octocat] = [await product.signIn('mona'), await product.signIn('octocat')];
    await over.records.collection('gh_users').update(octocat.record.id, { address: 'octocat@example.org' });
    monasKey = await registerPasskey(product, mona);
    approvedPull = await product.pendingPull('Approved');
    expect((await approve(approvedPull, mona, monasKey)).status).toBe(200);
    const rows = await over.records.collection('approvals').getFullList<Row>();
    expect(rows).toHaveLength(1);
    genuine = rows[0] as Row;
  });
  afterAll(() => over?.stop());

  const approve = (pull: Pull, session: Session, key: SoftwareAuthenticator) =>
    approveBy(product, session, key, pull);

  /** Closes and opens the pull request, so that the product judges it again. */
  async function reopen(pull: Pull) {
    const processed = async () => (await over.records.collection('webhook_deliveries').getFullList()).length;
    const before = await processed();
    for (const state of ['closed', 'open'])
      await product.asAdmin('PATCH', `/repos/octo-org/hello/pulls/${pull.number}`, { state });
    await until('both webhooks', async () => (await processed()) >= before + 2);
  }

  const shown = async (pull: Pull) => (await product.runs(pull.head.sha)).map(({ conclusion }) => conclusion);
  const alertOf = (id: string) =>
    until('the alert', () =>
      over.log.map((line) => JSON.parse(line)).find((line) => line.id === id && line.level === 50),
    );
  const entriesOf = (collection: string) =>
    over.records
      .collection('gh_activities')
      .getFullList({ filter: `activity = "forgedRecord" && data.collection = "${collection}"` });

  /** The fields of the genuine approval, as if they were about this pull request. */
  const about = (pull: Pull) => ({
    ...genuine,
    id: undefined,
    pr: pull.number,
    head: pull.head.sha,
    reported: '',
  });
  const statementAbout = (pull: Pull) => ({
    ...(genuine.statement as object),
    pr: pull.number,
    head: pull.head.sha,
  });

  it('publishes no signing key, and an erased person’s approval has no receipt', async () => {
    const { records } = over;
    const [own] = await records.collection('signing_keys').getFullList<Row>();
    const forged = await records.collection('signing_keys').create({ ...own, id: undefined, number: 0 });
    const published = await fetch(`${product.origin}/.well-known/otp-guard.json`);
    expect(((await published.json()) as KeyList).keys).toHaveLength(1);
    expect(await alertOf(forged.id)).toMatchObject({ collection: 'signing_keys', reason: 'MAC' });
    await records.collection('signing_keys').delete(forged.id);

    const pull = await product.pendingPull('Erased');
    await approve(pull, mona, monasKey);
    const [approval] = await records.collection('approvals').getFullList({ sort: '-created' });
    const subject = `subject = "approvals:${approval?.id}"`;
    const { id, event, salts } = await records.collection('gh_activities').getFirstListItem(subject);
    const erased = { person: null, salts: { ...salts, person: null }, data: event.data };
    const { installation: _, ...target } = targetOf(product, pull);
    const receipts = async () => (await product.call('/receipts', target, mona)).json<ReceiptsAnswer>();
    await records.collection('gh_activities').update(id, erased);
    expect((await receipts()).without).toEqual([]);
    await records.collection('approvals').delete(approval?.id ?? '');
    expect(await receipts()).toMatchObject({
      receipts: [],
      without: [{ commit: pull.head.sha, why: expect.stringContaining('was erased') }],
    });
  });

  it.each<Forgery>([
    ['copied from a genuine one', (pull) => about(pull), 'MAC'],
    ...inSoak<Forgery>(
      [
        'with no MAC, as in an old version',
        (pull) => ({ ...about(pull), statement: null, assertion: null, mac: '' }),
        'MAC',
      ],
      ['with a statement to match', (pull) => ({ ...about(pull), statement: statementAbout(pull) }), 'MAC'],
    ),
    [
      'with a MAC, and an assertion about another pull request',
      (pull) => ({ ...about(pull), id: 'forged000000001', statement: statementAbout(pull), sign: true }),
      'assertion',
    ],
    [
      'with a MAC and a genuine assertion, but about another pull request',
      (pull) => ({ ...about(pull), id: 'forged000000002', sign: true }),
      'assertion',
    ],
  ])('completes no check by an approval %s', async (_what, forge, reason) => {
    const pull = await product.pendingPull();
    const before = (await entriesOf('approvals')).length;
    const { sign, ...row } = forge(pull) as Row & { sign?: boolean };
    const mac = sign ? recordSeals().macOf('approvals', row) : row.mac;
    const { id } = await over.records.collection('approvals').create({ ...row, mac });
    expect(await alertOf(id)).toMatchObject({ collection: 'approvals', reason });
    await until('the entry', async () => (await entriesOf('approvals')).length > before);
    await reopen(pull);
    expect(new Set(await shown(pull))).toEqual(new Set([null]));
    await over.records.collection('approvals').delete(id);
  });

  it('completes no check by editing an approval; owners get one notice for each record', async () => {
    const pull = await product.pendingPull();
    const { id } = genuine;
    const before = (await entriesOf('approvals')).length;
    for (const edit of [{ pr: pull.number, head: pull.head.sha, reported: '' }, { base: 'release' }]) {
      await over.records.collection('approvals').update(id, edit);
      await reopen(pull);
      await reopen(approvedPull);
      expect(new Set(await shown(pull))).toEqual(new Set([null]));
    }
    expect(await alertOf(id)).toMatchObject({ reason: 'MAC' });
    await until('the entry', async () => (await entriesOf('approvals')).length === before + 1);
    const notices = await over.records.collection('notices').getFullList({ filter: 'kind = "forgedRecord"' });
    expect(notices.map(({ user }) => user)).toEqual(Array(before + 1).fill(octocat.record.id));
    const { pr, head, base, reported } = genuine;
    await over.records.collection('approvals').update(id, { pr, head, base, reported });
    const metrics = await fetch(`${over.origin}/metrics`, {
      headers: { authorization: `Bearer ${SECRET_KEY}` },
    });
    expect(await metrics.text()).toMatch(/^otp_guard_forged_records_total [1-9]/m);
  });

  it('brings no withdrawn approval back', async () => {
    const approvals = over.records.collection('approvals');
    const pull = await product.pendingPull('Withdrawn');
    expect((await approve(pull, mona, monasKey)).status).toBe(200);
    const withdrawal = { ...targetOf(product, pull), accessToken: mona.accessToken };
    expect((await product.call('/github-withdraw-approval', withdrawal, mona)).status).toBe(200);
    const { id, withdrawn } = await approvals.getFirstListItem<Row>(`head = "${pull.head.sha}"`);
    await approvals.update(id, { withdrawn: '', withdrawal_unreported: false, reported: '' });
    await reopen(pull);
    expect(await alertOf(id)).toMatchObject({ collection: 'approvals', reason: 'MAC' });
    const [newest] = (await product.runs(pull.head.sha)).toSorted((one, other) => other.id - one.id);
    expect(newest).toMatchObject({ conclusion: null });
    await approvals.update(id, { withdrawn });
  });

  it('shows no forged approval as the commit that was approved before', async () => {
    const pull = await product.pendingPull();
    await over.records.collection('approvals').create({ ...about(pull), head: 'ee'.repeat(20), mac: '' });
    const { pull: summary } = (await approvalOptions(product, mona, targetOf(product, pull))) as unknown as {
      pull: { approvedBefore: string | null };
    };
    expect(summary.approvedBefore).toBeNull();
  });

  it('adds no key to a person, and changes none', async () => {
    const pull = await product.pendingPull();
    const webauthn = over.records.collection('webauthn');
    const [stored] = await webauthn.getFullList<Row>();
    const attackers = new SoftwareAuthenticator(product.origin);
    const { id } = await webauthn.create({
      ...stored,
      id: undefined,
      key_id: attackers.id,
      public_key: attackers.publicKey,
    });
    expect((await approve(pull, mona, attackers)).status).toBe(403);
    expect(await alertOf(id)).toMatchObject({ collection: 'webauthn', reason: 'MAC' });
    await webauthn.delete(id);

    for (const change of [{ public_key: attackers.publicKey }, { counter: 0 }, { user: octocat.record.id }]) {
      await webauthn.update(String(stored?.id), change);
      // Nobody has an authenticator that can be used, but nobody may register a first one for that.
      const owner = 'user' in change ? octocat : mona;
      await expect(registerPasskey(product, owner)).rejects.toThrow(/^registration: 403/);
      const { counter, public_key, user } = stored as Row;
      await webauthn.update(String(stored?.id), { counter, public_key, user });
    }
    expect((await approve(pull, mona, monasKey)).status).toBe(200);
  });

  it('lets nobody approve with the one-time codes of another person', async () => {
    const app = new CodeApp();
    const proof = await proofBy(product, mona, monasKey, { type: 'register-authenticator' });
    const registered = await registerCodes(product, mona, {
      app,
      code: app.codeAt(Date.now()),
      stepUp: proof,
    });
    expect(registered.status).toBe(200);
    const pull = await product.pendingPull();
    const approveByCode = (session: Session) => {
      const otp = app.codeAt(Date.now() + 30_000);
      const body = { ...targetOf(product, pull), otp, accessToken: session.accessToken };
      return product.call('/github-totp-check', body, session);
    };
    const totps = over.records.collection('totps');
    const [stored] = await totps.getFullList<Row>();
    const id = String(stored?.id);
    await totps.update(id, { user_id: octocat.record.id });
    expect((await approveByCode(octocat)).status).toBeGreaterThanOrEqual(400);
    expect(await alertOf(id)).toMatchObject({ collection: 'totps', reason: 'MAC' });
    expect(await shown(pull)).toEqual([null]);
    await totps.update(id, { user_id: mona.record.id });
    expect((await approveByCode(mona)).status).toBe(200);
  });

  it('lets nobody approve as another person with a key of their own', async () => {
    const pull = await product.pendingPull();
    await registerPasskey(product, octocat);
    const users = over.records.collection('gh_users');
    await users.update(mona.record.id, { github_id: 999_999 });
    await users.update(octocat.record.id, { github_id: mona.record.github_id });
    const asMona = { ...octocat, accessToken: mona.accessToken };
    await expect(approvalOptions(product, asMona, targetOf(product, pull))).rejects.toThrow(
      'missing authenticator',
    );
    await users.update(octocat.record.id, { github_id: octocat.record.github_id });
    await users.update(mona.record.id, { github_id: mona.record.github_id });
  });

  it('puts no policy in force: until an owner sets one again, nothing passes', async () => {
    const policies = over.records.collection('policies');
    const read = async () =>
      (await product.call('/organization-policy', orgOf(product), mona)).json<unknown>();
    const key = await registerPasskey(product, await product.signIn('octocat'), otherOrgOf(product));
    expect(await read()).toEqual(DEFAULT_POLICY);
    const [org] = await over.records
      .collection('organizations')
      .getFullList<Row>({ filter: `org_id = ${orgOf(product).orgID}` });
    const forged = { number: 1, policy: DEFAULT_POLICY, by: octocat.record.id, by_login: 'octocat', mac: '' };
    const { id } = await policies.create({ ...forged, org: org?.id });
    expect(await read()).toEqual(UNMEETABLE_POLICY);
    expect(await alertOf(id)).toMatchObject({ collection: 'policies', reason: 'MAC' });
    await until('the entry', async () => (await entriesOf('policies')).length === 1);
    const pull = await product.pendingPull();
    expect((await approve(pull, mona, monasKey)).status).toBe(403);
    await reopen(pull);
    expect(new Set(await shown(pull))).toEqual(new Set([null]));

    // A genuine policy of an organization that octocat owns says nothing about another one.
    const at = otherOrgOf(product);
    const policy = { version: 1 };
    const stepUp = await proofBy(product, octocat, key, { type: 'change-policy', policy }, at);
    const body = { ...at, policy, stepUp, accessToken: octocat.accessToken };
    expect((await product.call('/github-set-policy', body, octocat)).status).toBe(200);
    const told = await over.records.collection('notices').getFullList({ filter: 'kind = "policyChanged"' });
    expect(told.map(({ user }) => user)).toEqual([octocat.record.id]);
    const genuinePolicy = await policies.getFirstListItem<Row>(`org != "${org?.id}"`);
    expect(
      recordSeals().isOurs('policies', { ...genuinePolicy, expand: { org: { org_id: at.orgID } } }),
    ).toBe(true);
    expect(genuinePolicy).toMatchObject({
      statement: { purpose: 'policy', policySha256: sha256OfJson(policy) },
      assertion: { id: key.id },
      public_key: key.publicKey,
    });
    const unsigned = { ...genuinePolicy, assertion: null, expand: { org: { org_id: at.orgID } } };
    expect(recordSeals().isOurs('policies', unsigned)).toBe(false);
    await policies.delete(id);
    await policies.update(genuinePolicy.id, { org: org?.id });
    expect(await read()).toEqual(UNMEETABLE_POLICY);
    expect(await alertOf(genuinePolicy.id)).toMatchObject({ collection: 'policies' });
    await policies.delete(genuinePolicy.id);
    expect(await read()).toEqual(DEFAULT_POLICY);
  });

  it('makes no challenge that a stored assertion answers', async () => {
    const pull = await product.pendingPull();
    const target = targetOf(product, pull);
    const challenges = over.records.collection('challenges');
    const { options } = await approvalOptions(product, mona, target);
    const [issued, answered] = await Promise.all(
      [options.challenge, statementChallenge(genuine.statement as Statement)].map((challenge) =>
        challenges.getFirstListItem<Row>(`challenge = "${challenge}"`),
      ),
    );
    const { subject, expires, mac } = issued as Row;
    const { id } = await challenges.update(answered?.id ?? '', { subject, expires, mac });
    const keys = over.records.collection('one_time_keys');
    await keys.delete((await keys.getFirstListItem(`key = "challenge:${answered?.challenge}"`)).id);
    expect((await sendAssertion(product, mona, target, genuine.assertion)).status).toBe(403);
    expect(await alertOf(id)).toMatchObject({ collection: 'challenges' });
    expect(new Set(await shown(pull))).toEqual(new Set([null]));
  });

  it('finds a changed entry of the log, once, and approves nothing on a changed end of it', async () => {
    const log = over.records.collection('gh_activities');
    const entry = await log.getFirstListItem<Row>('activity = "webauthnRegister"');
    await log.update(entry.id, { data: { ...(entry.data as object), label: 'Another' } });
    expect(await alertOf(entry.id)).toMatchObject({ collection: 'gh_activities', reason: 'log' });
    await until('the entry', async () => (await entriesOf('gh_activities')).length > 0);
    await log.update(entry.id, { data: entry.data });
    expect(await entriesOf('gh_activities')).toHaveLength(1);

    const end = () => log.getFirstListItem<Row>('entry_number > 0', { sort: '-entry_number' });
    // Work in the background may log something in the meantime. Nothing follows a changed end.
    const newest = await until('a changed end', async () => {
      const last = await end();
      await log.update(last.id, { checkpoint: entry.checkpoint });
      if ((await end()).id === last.id) return last;
      await log.update(last.id, { checkpoint: last.checkpoint });
      return false;
    });
    const pull = await product.pendingPull();
    const refused = await approve(pull, mona, monasKey);
    expect([refused.status, refused.text, await shown(pull)]).toEqual([
      503,
      expect.stringContaining('changed'),
      [null],
    ]);
    await until('the alert', () =>
      over.log.some((line) => line.includes("the end of an organization's log")),
    );
    await log.update(newest.id, { checkpoint: newest.checkpoint });
    expect((await approve(pull, mona, monasKey)).status).toBe(200);
  });
});

describe('SECRET_KEY', () => {
  let over: Awaited<ReturnType<typeof startMigratedStore>>;
  let row: Row;

  beforeAll(async () => {
    over = await startMigratedStore();
  });
  afterAll(async () => {
    await over?.stop();
    removeScratches();
  });

  /** The store has one approval that OTP Guard wrote. */
  beforeEach(async () => {
    for (const name of ['approvals', 'signing_keys']) await over.records.collections.truncate(name);
    const fields = { id: 'genuine00000001', repo_id: 1, pr: 2, head: HEAD, method: 'totp' };
    const mac = recordSeals().macOf('approvals', fields);
    row = await over.records.collection('approvals').create<Row>({ ...fields, mac });
  });

  const start = (secretKey: string) =>
    upgradeStore(over.one, settingsOf(scratch(), { SECRET_KEY: secretKey }), GITHUB);

  it('that isn’t the key of the records keeps OTP Guard from starting; a changed signing key doesn’t', async () => {
    await start(NEXT_KEY);
    await signingKeysOf(over.one).current();
    await start(SECRET_KEY);
    await expect(start(NEXT_KEY)).rejects.toThrow(
      /^SECRET_KEY is not the key that the records were sealed with\./,
    );
    const [key] = await over.records.collection('signing_keys').getFullList<Row>();
    await over.records.collection('signing_keys').update(key?.id ?? '', { public_key: 'changed' });
    expect(await start(SECRET_KEY)).toBeNull();
  });

  it('of before is needed until a rotation has sealed all records again', async () => {
    await signingKeysOf(over.one).current();
    const org = await over.records.collection('organizations').create({ org_id: 8, name: 'hooked-org' });
    const hook = await over.records.collection('hooks').create({ org: org.id, kind: 'webhook' });
    const run: StoreClient['run'] = async (work) => {
      const read = await over.one.run(work);
      if (JSON.stringify(read ?? '').includes(hook.id)) throw new Error('stopped in the middle');
      return read;
    };
    const keys = () => [NEXT_KEY, SECRET_KEY] as const;
    await expect(rotateRecords({ ...over.one, run }, keys)).rejects.toThrow('stopped in the middle');
    await expect(start(NEXT_KEY)).rejects.toThrow('SECRET_KEY is not the key');
    await rotateRecords(over.one, keys);
    await over.records.collection('organizations').delete(org.id);
    expect(await start(NEXT_KEY)).toBeNull();
  });

  it('is replaced in the records that the old key signed, also after a stop in the middle', async () => {
    const approvals = over.records.collection('approvals');
    const { id: forged } = await approvals.create({
      repo_id: 1,
      pr: 3,
      head: HEAD,
      method: 'totp',
      mac: row.mac,
    });
    expect(await rotateRecords(over.one, () => [NEXT_KEY, SECRET_KEY])).toEqual({ resealed: 1, refused: 1 });
    expect(await rotateRecords(over.one, () => [NEXT_KEY, SECRET_KEY])).toEqual({ resealed: 0, refused: 1 });
    const seals = createRecordSeals(
      createRecordMac(() => [NEXT_KEY]),
      () => undefined,
    );
    const valid = async (id: string) => seals.isOurs('approvals', await approvals.getOne<Row>(id));
    expect([await valid(row.id), await valid(forged)]).toEqual([true, false]);
  });

  it('rotates without spoiling what changes at the same time: a withdrawal, a verdict, a use, a new approval', async () => {
    const collection = (name: string) => over.records.collection(name);
    const groups = createMergeGroups(over.one, recordSeals());
    const known = await groups.add({ installation: 1, owner: 'o', name: 'r' }, aGroup(), HEAD);
    await groups.settle(known, 'passed');
    const [group] = await collection('merge_groups').getFullList<Row>();
    const password = 'a-password-of-the-tests';
    const person = { email: 'x@unconfirmed.invalid', password, passwordConfirm: password };
    const user = await collection('gh_users').create({ ...person, github_id: 11, username: 'mona' });
    const org = await collection('organizations').create({ org_id: 9, name: 'octo-org' });
    const key = { id: 'credential00001', type: 'passkey', key_id: 'key', user: user.id, org: org.id };
    const keyWith = (use: object) => recordSeals().signed('webauthn', { ...key, ...use }, { user, org });
    await collection('webauthn').create(keyWith({ counter: 5, backed_up: false }));
    const approvalWith = (change: object) => recordSeals().signed('approvals', { ...row, ...change });
    const changes: Record<string, () => Promise<unknown>> = {
      [row.id]: async () => {
        await collection('approvals').update(row.id, approvalWith({ withdrawn: 'now' }));
        await collection('approvals').create(approvalWith({ id: 'another00000001', pr: 3 }));
      },
      [group?.id ?? '']: () => groups.settle(known, 'failed'),
      [key.id]: () => collection('webauthn').update(key.id, keyWith({ counter: 6, backed_up: true })),
    };
    const run: StoreClient['run'] = async (work) => {
      const read = await over.one.run(work);
      for (const id of Object.keys(changes).filter((id) => JSON.stringify(read ?? '').includes(id))) {
        await changes[id]?.();
        delete changes[id];
      }
      return read;
    };
    const keys = () => [NEXT_KEY, SECRET_KEY] as const;
    expect(await rotateRecords({ ...over.one, run }, keys)).toEqual({ resealed: 4, refused: 0 });
    const next = createRecordMac(() => [NEXT_KEY]);
    const seals = createRecordSeals(next, () => undefined);
    const areOurs = async (name: CoveredCollection) =>
      (await collection(name).getFullList<Row>({ expand: 'user,org' })).map((one) => seals.isOurs(name, one));
    expect([await areOurs('approvals'), await areOurs('merge_groups'), await areOurs('webauthn')]).toEqual([
      [true, true],
      [true],
      [true],
    ]);
    expect((await collection('approvals').getOne(row.id)).withdrawn).toBe('now');
  });
});
