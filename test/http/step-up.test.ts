import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  listOf,
  orgOf,
  otherOrgOf,
  ownRecord,
  proofBy,
  registerCodes,
  registerKey,
  setPolicy,
} from '../support/account.ts';
import { CodeApp, type SoftwareAuthenticator } from '../support/authenticator.ts';
import {
  approvalOptions,
  approveBy,
  type Session,
  startTestProduct,
  type TestProduct,
  targetOf,
  until,
} from '../support/product.ts';

const REGISTER = { type: 'register-authenticator' } as const;
const SENTENCE = /^[^\n<>{}]{5,200}$/;
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '‮gnihsihp‬ ⁦x⁩',
  '🔑🏳️‍🌈 Schlüssel ключ 鍵',
];

describe('step-up for registering and deleting authenticators', () => {
  let product: TestProduct;
  let now = Date.now();
  let mona: Session;
  let octocat: Session;
  let monasKey: SoftwareAuthenticator;
  let octocatsKey: SoftwareAuthenticator;
  const app = new CodeApp();

  beforeAll(async () => {
    product = await startTestProduct({ clock: { now: () => new Date(now) }, crowd: 2 });
    [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
    monasKey = (await registerKey(product, mona, { label: 'The first' })).key;
    octocatsKey = (await registerKey(product, octocat)).key;
  });

  afterAll(() => product?.stop());

  // Each test has its own one-time codes.
  beforeEach(() => {
    now += 5 * 30_000;
  });

  const keysOf = async (session: Session) => (await listOf(product, session, 'webauthn')).length;
  const idOf = async (session: Session, label: string) =>
    String((await listOf(product, session, 'webauthn')).find((record) => record.label === label)?.id);

  async function expectRefusal(answer: { status: number; text: string }, statuses: number[] = [403]) {
    expect(statuses).toContain(answer.status);
    expect(answer.text).toMatch(SENTENCE);
  }

  it('registers a further authenticator with a step-up by a passkey or a one-time code', async () => {
    const byKey = await registerCodes(product, mona, {
      app,
      code: app.codeAt(now),
      stepUp: await proofBy(product, mona, monasKey, REGISTER),
    });
    expect(byKey.status).toBe(200);
    now += 5 * 30_000;
    const byCode = await registerKey(product, mona, {
      type: 'security-key',
      label: 'The second',
      stepUp: { ...REGISTER, otp: app.codeAt(now) },
    });
    expect(byCode.status).toBe(200);
    expect(byCode.json()).toMatchObject({ type: 'security-key', label: 'The second' });
    expect((await ownRecord(product, mona)).authenticators).toEqual({
      [product.github.facts.orgID]: { totp: true, webauthn: [{ id: monasKey.id }, { id: byCode.key.id }] },
    });
    const again = await registerCodes(product, mona, {
      app: new CodeApp(),
      code: '123456',
      stepUp: await proofBy(product, mona, monasKey, REGISTER),
    });
    expect([again.status, again.text]).toEqual([409, 'The authenticator was previously registered']);
  });

  it('refuses a further authenticator without a step-up, or with one for something else', async () => {
    const before = await keysOf(mona);
    const existing = await idOf(mona, 'The first');
    const used = await proofBy(product, mona, monasKey, REGISTER);
    expect((await registerKey(product, mona, { label: 'By the proof', stepUp: used })).status).toBe(200);
    const approval = await product.openPull();
    await until('the run', async () => (await product.runs(approval.head.sha)).length === 1);
    const forApproval = await approvalOptions(product, mona, targetOf(product, approval));
    const deletion = { type: 'delete-authenticator', authenticatorID: existing } as const;
    const otherKey = await registerKey(product, octocat, otherOrgOf(product));
    expect(otherKey.status).toBe(200);
    const proofs: [string, unknown][] = [
      ['one that was used', used],
      [
        'one of a deletion under our name',
        { ...(await proofBy(product, mona, monasKey, deletion)), ...REGISTER },
      ],
      ['one of an approval', { ...REGISTER, webauthn: monasKey.get(forApproval.options) }],
      [
        'one by the key of another person',
        { ...REGISTER, webauthn: octocatsKey.get((await proofChallenge(mona)).options) },
      ],
      [
        'one of another origin',
        {
          ...REGISTER,
          webauthn: monasKey.get((await proofChallenge(mona)).options, { origin: 'https://evil.example' }),
        },
      ],
      ['a wrong code', { ...REGISTER, otp: app.wrongCodeAt(now) }],
    ];
    for (const [name, stepUp] of proofs) {
      const answer = await registerKey(product, mona, { label: 'Never', stepUp });
      expect([name, answer.status]).toEqual([name, 403]);
      expect(answer.text).toMatch(SENTENCE);
    }
    for (const broken of [
      {},
      'no json',
      { ...REGISTER },
      { ...REGISTER, otp: '123456', webauthn: used.webauthn },
      [],
    ]) {
      await expectRefusal(await registerKey(product, mona, { label: 'Never', stepUp: broken }), [400]);
    }
    const foreign = await proofBy(product, octocat, otherKey.key, REGISTER, otherOrgOf(product));
    await expectRefusal(await registerKey(product, octocat, { label: 'Never', stepUp: foreign }));
    expect(await keysOf(mona)).toBe(before + 1);
  });

  async function proofChallenge(session: Session) {
    const asked = await product.call('/webauthn-challenge', { ...REGISTER, ...orgOf(product) }, session);
    return asked.json<{ options: { challenge: string } }>();
  }

  describe('deletion', () => {
    let key: SoftwareAuthenticator;
    let id: string;
    let count = 0;

    beforeEach(async () => {
      count += 1;
      const label = `To delete ${count}`;
      const added = await registerKey(product, mona, {
        label,
        type: 'security-key',
        stepUp: await proofBy(product, mona, monasKey, REGISTER),
      });
      expect(added.status).toBe(200);
      key = added.key;
      id = added.json<{ id: string }>().id;
    });

    const action = (authenticatorID = id) => ({ type: 'delete-authenticator', authenticatorID }) as const;

    it('deletes the record, and the map of authenticators no longer has it', async () => {
      const answer = await product.remove(
        'webauthn',
        id,
        mona,
        await proofBy(product, mona, monasKey, action()),
      );
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect((await listOf(product, mona, 'webauthn')).map((record) => record.id)).not.toContain(id);
      expect(JSON.stringify((await ownRecord(product, mona)).authenticators)).not.toContain(key.id);
      const again = await product.remove(
        'webauthn',
        id,
        mona,
        await proofBy(product, mona, monasKey, action()),
      );
      expect([again.status, again.text]).toEqual([404, 'Invalid Authenticator ID']);
    });

    it('is refused without a step-up, with a malformed, someone else’s or reused one, and on any other path', async () => {
      const first = await idOf(mona, 'The first');
      const tries: [string, Parameters<TestProduct['remove']>[3], Partial<Session>, number[]][] = [
        ['no proof', undefined, mona, [403]],
        ['no json', '{', mona, [400]],
        [
          'a proof of another record under this name',
          { ...(await proofBy(product, mona, monasKey, action(first))), authenticatorID: id },
          mona,
          [403],
        ],
        ['the session of another person', await proofBy(product, mona, monasKey, action()), octocat, [403]],
        [
          'the GitHub token of another person',
          await proofBy(product, mona, monasKey, action()),
          { ...mona, accessToken: octocat.accessToken },
          [403],
        ],
        [
          'no session',
          await proofBy(product, mona, monasKey, action()),
          { accessToken: mona.accessToken },
          [401],
        ],
        ['no GitHub token', await proofBy(product, mona, monasKey, action()), { token: mona.token }, [401]],
        ['a wrong code', { ...action(), otp: app.wrongCodeAt(now) }, mona, [403]],
      ];
      for (const [name, proof, session, statuses] of tries) {
        const answer = await product.remove('webauthn', id, session, proof);
        expect([name, statuses.includes(answer.status), answer.text]).toEqual([
          name,
          true,
          expect.stringMatching(SENTENCE),
        ]);
      }
      // An owner may remove a member's, and a member can't remove an owner's. See also test/http/owners.test.ts.
      const octocats = await idOf(octocat, 'A key');
      const proof = await proofBy(product, mona, monasKey, action(octocats));
      expect([403, 404]).toContain((await product.remove('webauthn', octocats, mona, proof)).status);
      expect(await idOf(octocat, 'A key')).toBe(octocats);
      const valid = await proofBy(product, mona, monasKey, action());
      for (const collection of ['totps', '%77ebauthn', 'webauthn/', 'gh_users']) {
        const answer = await product.remove(collection, id, mona, valid);
        expect([collection, answer.status]).toEqual([collection, 404]);
      }
      expect((await listOf(product, mona, 'webauthn')).map((record) => record.id)).toContain(id);
      expect((await product.remove('webauthn', id, mona, valid)).status).toBe(204);
      expect([403, 404]).toContain((await product.remove('webauthn', id, mona, valid)).status);
    });
  });

  describe('renaming', () => {
    it('is possible only for the person’s own security keys', async () => {
      const added = await registerKey(product, mona, {
        label: 'Old name',
        type: 'security-key',
        stepUp: await proofBy(product, mona, monasKey, REGISTER),
      });
      const { id } = added.json<{ id: string }>();
      const rename = (input: object, session = mona) =>
        product.call(
          '/github-edit-authenticator',
          { type: 'security-key', id, label: 'New name', ...input },
          session,
        );
      const renamed = await rename({});
      expect([renamed.status, renamed.text]).toEqual([200, 'ok']);
      expect(await idOf(mona, 'New name')).toBe(id);
      const renames = async () =>
        (await listOf(product, mona, 'gh_activities')).filter(
          ({ activity }) => activity === 'authenticatorRename',
        );
      const labels = { type: 'security-key', label: 'New name', formerLabel: 'Old name' };
      expect(await renames()).toMatchObject([{ data: { ...labels, login: 'mona' } }]);
      await expectRefusal(await rename({}, octocat));
      await expectRefusal(await rename({ type: 'passkey' }));
      await expectRefusal(await rename({ id: await idOf(mona, 'The first') }));
      expect((await rename({ id: 'aaaaaaaaaaaaaaa' })).text).toBe('Invalid Authenticator ID');
      for (const label of HOSTILE) {
        expect((await rename({ label })).status).toBe(200);
        expect(await idOf(mona, label)).toBe(id);
      }
    });
  });

  describe('where somebody of the organization has to vouch', () => {
    type Waiting = { id: string; comparison: string; holder: object; waitsFor: string };
    type Enrolment = { own: Waiting[]; waiting: Waiting[]; active: number; mode: string };
    let newcomer: Session;

    const enrolmentOf = async (session: Session) =>
      (await product.call('/organization-enrolment', orgOf(product), session)).json<Enrolment>();
    const vouch = async (session: Session, key: SoftwareAuthenticator, authenticatorID: string) => {
      const stepUp = await proofBy(product, session, key, { type: 'vouch', authenticatorID });
      const send = () => {
        const { accessToken } = session;
        const body = { ...orgOf(product), authenticatorID, stepUp, accessToken };
        return product.call('/github-vouch', body, session);
      };
      return { send, answer: await send() };
    };

    beforeAll(async () => {
      newcomer = await product.signIn('member-0001');
      await setPolicy(product, octocat, octocatsKey, { enrolment: { mode: 'vouched' } });
    });

    it('a first passkey counts only after the vouch of an owner, which works once', async () => {
      const pull = await product.openPull();
      await until('the run', async () => (await product.runs(pull.head.sha)).length === 1);
      const asked = () =>
        product.call(
          '/github-check-webauthn-params',
          { type: 'webauthn', ...targetOf(product, pull), accessToken: newcomer.accessToken },
          newcomer,
        );
      const thiefs = (await registerKey(product, newcomer)).json<Waiting>();
      const { key, ...added } = await registerKey(product, newcomer);
      const made = added.json<Waiting>();
      expect(made).toMatchObject({ pending: true, comparison: expect.stringMatching(/^\d{3} \d{3}$/) });
      await expectRefusal(await asked());
      expect((await ownRecord(product, newcomer)).authenticators).toEqual({
        [product.github.facts.orgID]: { totp: false, webauthn: [], pending: { id: key.id } },
      });
      const [record] = await listOf(product, newcomer, 'webauthn');
      expect(record).toMatchObject({ pending: 'vouch', enrolled: '' });
      expect(record).not.toHaveProperty('nonce');
      const { waiting } = await enrolmentOf(octocat);
      expect(waiting).toMatchObject([{ id: made.id, comparison: made.comparison, waitsFor: 'vouch' }]);
      await expect(vouch(octocat, octocatsKey, thiefs.id)).rejects.toThrow('404 Invalid Authenticator ID');
      await expect(vouch(mona, monasKey, made.id)).rejects.toThrow('403 Only an owner of this organization');
      const { send, answer } = await vouch(octocat, octocatsKey, made.id);
      expect([answer.status, answer.text]).toEqual([200, 'ok']);
      expect((await send()).text).toBe(
        'This authenticator was confirmed, replaced or removed meanwhile. Open the page again.',
      );
      const approved = await approveBy(product, newcomer, key, pull);
      expect(approved.status).toBe(200);
      const [entry] = (await listOf(product, newcomer, 'gh_activities')).filter(
        ({ activity }) => activity === 'vouch',
      );
      expect(entry).toMatchObject({ data: { login: 'octocat', user: 'member-0001', type: 'passkey' } });
    });

    it('a second device registers by a link, once, and the first one confirms it', async () => {
      const stepUp = await proofBy(product, octocat, octocatsKey, REGISTER);
      const { accessToken } = octocat;
      const body = { ...orgOf(product), stepUp, accessToken };
      const { url } = (await product.call('/device-link', body, octocat)).json<{ url: string }>();
      const deviceLink = new URLSearchParams(new URL(url).hash.slice(1)).get('secret') ?? '';
      expect(product.log.join()).not.toContain(deviceLink);
      const stolen = await registerKey(product, mona, { deviceLink });
      expect([stolen.status, stolen.text]).toEqual([
        403,
        "This link is too old, or isn't yours. Make a new one on your other device.",
      ]);
      const { active } = await enrolmentOf(octocat);
      const made = (await registerKey(product, octocat, { deviceLink })).json<Waiting>();
      expect((await enrolmentOf(octocat)).own).toMatchObject([{ id: made.id, waitsFor: 'device' }]);
      await expectRefusal(await registerKey(product, octocat, { deviceLink }));
      expect((await vouch(octocat, octocatsKey, made.id)).answer.text).toBe('ok');
      expect((await enrolmentOf(octocat)).active).toBe(active + 1);
    });
  });
});
