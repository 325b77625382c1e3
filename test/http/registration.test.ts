import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import PocketBase from 'pocketbase';
import { SoftwareAuthenticator } from '../support/authenticator.ts';
import { CodeApp } from '../support/authenticators.ts';
import {
  type Answer,
  registerPasskey,
  type Session,
  startTestProduct,
  type TestProduct,
} from '../support/product.ts';
import {
  type ProductOverStore,
  raw,
  type SignedIn,
  signInAs,
  startProductOverStore,
} from '../support/product-over-store.ts';

const PARAMS = '/github-register-authenticator-params';
const REGISTER = '/github-register-passkey';

let product: TestProduct;
let mona: Session;
let octocat: Session;

beforeAll(async () => {
  product = await startTestProduct();
  [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
});

afterAll(() => product?.stop());

type Options = {
  challenge: string;
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: { alg: number }[];
  timeout: number;
  attestation: string;
  excludeCredentials: { id: string }[];
  authenticatorSelection: { authenticatorAttachment: string; residentKey: string; userVerification: string };
};

const wish = (change: object = {}) => ({
  label: 'My passkey',
  type: 'passkey',
  org: product.github.facts.org,
  orgID: product.github.facts.orgID,
  ...change,
});

const ask = (session: Session, change: object = {}) =>
  product.call(PARAMS, { ...wish(), accessToken: session.accessToken, ...change }, session);

async function optionsFor(session: Session, change: object = {}): Promise<Options> {
  const answer = await ask(session, change);
  if (answer.status !== 200) throw new Error(`registration options: ${answer.status} ${answer.text}`);
  return answer.json<{ options: Options }>().options;
}

const send = (session: Session, pkCreds: unknown, change: { params?: object; body?: object } = {}) =>
  product.call(
    REGISTER,
    { params: wish(change.params), pkCreds, accessToken: session.accessToken, ...change.body },
    session,
  );

/** The person’s own records, as the dashboard reads them. */
async function ownRecords<T>(session: Session, collection: string): Promise<T[]> {
  const records = new PocketBase(product.origin);
  records.autoCancellation(false);
  records.authStore.save(session.token, session.record as never);
  return records.collection(collection).getFullList<T>();
}

type Credential = { id: string; key_id: string; label: string; type: string; user: string };

/** An owner also sees those of the organization's members. */
const ownCredentials = async (session: Session) =>
  (await ownRecords<Credential>(session, 'webauthn')).filter(({ user }) => user === session.record.id);

const authenticatorsOf = async (session: Session) => {
  const records = new PocketBase(product.origin);
  records.authStore.save(session.token, session.record as never);
  return (await records.collection('gh_users').getOne(session.record.id)).authenticators;
};

function expectRefusal(answer: Answer, status: number, text?: string) {
  expect([answer.status, answer.text]).toEqual([status, text ?? expect.stringMatching(/^[^\n<>{}]{5,200}$/)]);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
}

describe('the options of a registration', () => {
  it('are as documented, for a passkey and for a security key', async () => {
    const passkey = await optionsFor(mona);
    expect(passkey).toMatchObject({
      rp: { id: 'localhost', name: 'OTP Guard' },
      user: { name: 'mona@octo-org/github', displayName: 'mona' },
      timeout: 60_000,
      attestation: 'direct',
      excludeCredentials: [],
      authenticatorSelection: { authenticatorAttachment: 'platform', userVerification: 'discouraged' },
    });
    expect(passkey.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-7, -257]);
    const key = await optionsFor(mona, { type: 'security-key' });
    expect(key.authenticatorSelection).toMatchObject({ authenticatorAttachment: 'cross-platform' });
  });

  it('are refused if any field is missing or malformed', async () => {
    const wrong: [string, object, number, string][] = [
      ['no label', { label: undefined }, 400, 'Give the authenticator a label.'],
      ['a label of spaces', { label: ' \t ' }, 400, 'Give the authenticator a label.'],
      ['a label that is a number', { label: 7 }, 400, 'Give the authenticator a label.'],
      [
        'a label that is too long',
        { label: 'x'.repeat(101) },
        400,
        'Enter a label of at most 100 characters.',
      ],
      ['a label of two lines', { label: 'a\nb' }, 400, 'Enter a label without control characters.'],
      ['a label with a C1 control', { label: 'a\u009bb' }, 400, 'Enter a label without control characters.'],
      ['no type', { type: undefined }, 400, 'Unrecognized authenticator type'],
      ['another type', { type: 'totp' }, 400, 'Unrecognized authenticator type'],
      ['a type that is no text', { type: ['passkey'] }, 400, 'Unrecognized authenticator type'],
      ['no organization', { org: undefined }, 400, 'Missing organization'],
      ['an organization that is no name', { org: '../x' }, 400, 'Missing organization'],
      ['no organization id', { orgID: undefined }, 400, 'missing organization id'],
      ['an organization id that is none', { orgID: -1 }, 400, 'missing organization id'],
      ['another organization id', { orgID: 424242 }, 404, "OTP Guard isn't installed for this organization."],
      ['no GitHub token', { accessToken: undefined }, 401, 'missing auth token'],
      [
        'a GitHub token of nobody',
        { accessToken: 'ghu_nobodyhasthistoken' },
        401,
        'Not authorized with GitHub',
      ],
    ];
    for (const [what, change, status, text] of wrong) {
      const answer = await ask(mona, change);
      expect([what, answer.status]).toEqual([what, status]);
      expectRefusal(answer, status, text);
    }
  });

  it('are refused with another person’s GitHub token', async () => {
    const text = 'This GitHub sign-in belongs to another account. Sign out, then sign in again.';
    expectRefusal(await ask(mona, { accessToken: octocat.accessToken }), 403, text);
  });

  it('are returned for a form too', async () => {
    const fields = Object.entries({ ...wish(), accessToken: mona.accessToken }).map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await product.call(PARAMS, new URLSearchParams(fields).toString(), mona, form);
    expect(answer.status).toBe(200);
  });
});

describe('a first authenticator', () => {
  let key: SoftwareAuthenticator;

  it('is registered if the ceremony is valid', async () => {
    key = new SoftwareAuthenticator(product.origin);
    const options = await optionsFor(mona, { label: '  Mona’s phone ' });
    const answer = await send(mona, key.create(options), { params: { label: '  Mona’s phone ' } });
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[a-z0-9]{15}$/),
        type: 'passkey',
        label: 'Mona’s phone',
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        key_id: key.id,
      },
    ]);
  });

  it('is in the person’s records as documented, without its key', async () => {
    const { orgID } = product.github.facts;
    const [record, ...others] = await ownRecords<Record<string, unknown>>(mona, 'webauthn');
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      type: 'passkey',
      label: 'Mona’s phone',
      key_id: key.id,
      user: mona.record.id,
      org: expect.any(String),
      attested: false,
      created: expect.any(String),
      updated: expect.any(String),
    });
    expect(Object.keys(record ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(public_key|counter|transports|secret)$/)]),
    );
    expect(await authenticatorsOf(mona)).toEqual({
      [orgID]: { totp: false, webauthn: [{ id: key.id }] },
    });
    const activities = await ownRecords<{ activity: string; data: object; user_id: string }>(
      mona,
      'gh_activities',
    );
    expect(activities).toMatchObject([
      {
        activity: 'webauthnRegister',
        user_id: mona.record.id,
        data: { type: 'passkey', label: 'Mona’s phone', user: 'mona', org: 'octo-org' },
      },
    ]);
  });

  it('is excluded from the next options, so that it isn’t registered twice', async () => {
    const { excludeCredentials } = await optionsFor(mona);
    expect(excludeCredentials.map(({ id }) => id)).toEqual([key.id]);
  });

  it('is not followed by a second one without a step-up', async () => {
    const stepUp = 'Confirm with an authenticator you already have here before you register another.';
    const answer = await send(mona, new SoftwareAuthenticator(product.origin).create(await optionsFor(mona)));
    expectRefusal(answer, 403, stepUp);
    const again = await send(mona, key.create(await optionsFor(mona)));
    expectRefusal(again, 403, stepUp);
    expect(await ownCredentials(mona)).toHaveLength(1);
  });

  it('is refused if anyone already has its credential id', async () => {
    const copy = new SoftwareAuthenticator(product.origin, key.credentialId);
    const answer = await send(octocat, copy.create(await optionsFor(octocat)));
    expectRefusal(answer, 409, 'The authenticator was previously registered');
    expect(await ownCredentials(octocat)).toEqual([]);
    expect(await authenticatorsOf(octocat)).toEqual({});
  });

  it('is registered separately for each organization', async () => {
    await registerPasskey(product, octocat);
    const { orgID, otherOrg: org, otherOrgID } = product.github.facts;
    await registerPasskey(product, octocat, { org, orgID: otherOrgID });
    const map = (await authenticatorsOf(octocat)) as Record<string, { webauthn: unknown[] }>;
    expect(Object.keys(map).sort()).toEqual([orgID, otherOrgID].map(String).sort());
    for (const { webauthn } of Object.values(map)) expect(webauthn).toHaveLength(1);
  });
});

describe('a registration over an empty record store', () => {
  let over: ProductOverStore;
  let session: SignedIn;

  beforeAll(async () => {
    over = await startProductOverStore();
    session = await signInAs(over, 'mona');
  });
  afterAll(() => over?.stop());

  const call = (path: string, body: object) =>
    raw(over.origin, 'POST', path, {
      token: session.token,
      body: { ...body, accessToken: session.meta.accessToken },
    });

  const wishOf = (label: string) => ({
    label,
    type: 'passkey',
    org: over.github.facts.org,
    orgID: over.github.facts.orgID,
  });

  /** Deletes mona's authenticators. */
  async function forget(): Promise<void> {
    const { records } = over;
    for (const name of ['webauthn', 'totps', 'first_authenticators']) {
      for (const { id } of await records.collection(name).getFullList())
        await records.collection(name).delete(id);
    }
    await records.collection('gh_users').update(session.record.id, { authenticators: null });
  }

  async function begin(label: string) {
    const answer = await call(PARAMS, wishOf(label));
    return { status: answer.status, options: JSON.parse(answer.text).options as Options };
  }

  const finish = (label: string, options: Options, key = new SoftwareAuthenticator(over.origin)) =>
    call(REGISTER, { params: wishOf(label), pkCreds: key.create(options) });

  it('registers only one of two first passkeys that arrive at the same time', async () => {
    for (let round = 0; round < 3; round += 1) {
      await forget();
      const begun = await Promise.all([begin('One'), begin('One')]);
      expect(new Set(begun.map(({ options }) => options.challenge)).size).toBe(2);
      const answers = await Promise.all(begun.map(({ options }) => finish('One', options)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      const stored = await over.records.collection('webauthn').getFullList();
      const winner = JSON.parse(answers.find(({ status }) => status === 200)?.text ?? '{}') as {
        key_id: string;
      };
      expect(stored.map(({ key_id }) => key_id)).toEqual([winner.key_id]);
    }
  });

  it('takes the credential id from the authenticator’s data, not from the browser’s field', async () => {
    await forget();
    const key = new SoftwareAuthenticator(over.origin);
    const { options } = await begin('One');
    const pkCreds = { ...key.create(options), id: 'AAAA', rawId: 'AAAA' };
    const answer = await call(REGISTER, { params: wishOf('One'), pkCreds });
    expect(JSON.parse(answer.text)).toMatchObject({ key_id: key.id });
  });

  it('is refused without a step-up if the person already has one-time codes', async () => {
    await forget();
    const { options } = await begin('One');
    const app = new CodeApp();
    const { org, orgID } = over.github.facts;
    const totp = { org, orgID, totpSecret: app.base32, totpValue: app.codeAt(Date.now()) };
    expect((await call('/github-register-totp', totp)).status).toBe(200);
    const answer = await finish('One', options);
    expect([answer.status, answer.text]).toEqual([
      403,
      'Confirm with an authenticator you already have here before you register another.',
    ]);
  });

  it('stores everything or nothing', async () => {
    await forget();
    const { options } = await begin('One');
    const before = await over.records.collection('gh_activities').getFullList();
    const { collections } = over.records;
    const { fields } = await collections.getOne('gh_activities');
    const broken = fields.map((field) => (field.name === 'data' ? { ...field, maxSize: 1 } : field));
    await collections.update('gh_activities', { fields: broken });
    expect((await finish('One', options)).status).toBeGreaterThanOrEqual(500);
    await collections.update('gh_activities', { fields });
    expect(await over.records.collection('webauthn').getFullList()).toEqual([]);
    expect(await over.records.collection('gh_activities').getFullList()).toEqual(before);
  });
});
