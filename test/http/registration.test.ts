import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ownRecord } from '../support/account.ts';
import { SoftwareAuthenticator } from '../support/authenticator.ts';
import { listOf, otherOrgOf, registerKey } from '../support/authenticators.ts';
import { clientOf, registerPasskey, type Session, type TestProduct } from '../support/product.ts';
import { type ProductOverStore, startProductOverStore } from '../support/product-over-store.ts';

let over: ProductOverStore;
let product: TestProduct;
let mona: Session;
let octocat: Session;

beforeAll(async () => {
  over = await startProductOverStore();
  product = { ...clientOf(over), ...over, dataDir: '' };
  [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
});
afterAll(() => over?.stop());

const authenticatorsOf = async (session: Session) => (await ownRecord(product, session)).authenticators;

/** Deletes all authenticators. */
async function forget(): Promise<void> {
  for (const name of ['webauthn', 'totps', 'first_authenticators'])
    for (const { id } of await over.records.collection(name).getFullList())
      await over.records.collection(name).delete(id);
  for (const { record } of [mona, octocat])
    await over.records.collection('gh_users').update(record.id, { authenticators: null });
}

describe('a first authenticator', () => {
  it('is registered, and in the person’s records and log as documented, without its key', async () => {
    const { key, ...answer } = await registerKey(product, mona, { label: '  Mona’s phone ' });
    const made = { type: 'passkey', label: 'Mona’s phone', key_id: key.id };
    const created = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect([answer.status, answer.json()]).toEqual([
      200,
      { ...made, id: expect.stringMatching(/^[a-z0-9]{15}$/), created },
    ]);
    const [record, ...others] = await listOf(product, mona, 'webauthn');
    expect([record, others]).toMatchObject([{ ...made, user: mona.record.id, attested: false }, []]);
    const secret = /^(public_key|counter|transports|secret)$/;
    expect(Object.keys(record ?? {}).filter((name) => secret.test(name))).toEqual([]);
    expect(await authenticatorsOf(mona)).toEqual({
      [product.github.facts.orgID]: { totp: false, webauthn: [{ id: key.id }] },
    });
    const data = { type: 'passkey', label: 'Mona’s phone', user: 'mona', org: 'octo-org' };
    expect(await listOf(product, mona, 'gh_activities')).toMatchObject([
      { activity: 'webauthnRegister', user_id: mona.record.id, data },
    ]);

    const copy = new SoftwareAuthenticator(product.origin, key.credentialId);
    const taken = await registerKey(product, octocat, { key: copy });
    expect([taken.status, taken.text]).toEqual([409, 'The authenticator was previously registered']);
    expect(await authenticatorsOf(octocat)).toEqual({});
  });

  it('is registered separately for each organization', async () => {
    await registerPasskey(product, octocat);
    await registerPasskey(product, octocat, otherOrgOf(product));
    const { orgID, otherOrgID } = product.github.facts;
    const map = (await authenticatorsOf(octocat)) as Record<string, { webauthn: unknown[] }>;
    expect(Object.keys(map).sort()).toEqual([orgID, otherOrgID].map(String).sort());
    for (const { webauthn } of Object.values(map)) expect(webauthn).toHaveLength(1);
  });

  it('is only one of two that arrive at the same time', async () => {
    for (let round = 0; round < 3; round += 1) {
      await forget();
      const answers = await Promise.all([registerKey(product, mona), registerKey(product, mona)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      const stored = await over.records.collection('webauthn').getFullList();
      expect(stored.map(({ key_id }) => key_id)).toEqual([
        answers.find(({ status }) => status === 200)?.key.id,
      ]);
    }
  });

  it('is stored with its log entry, or not at all', async () => {
    await forget();
    const log = over.records.collection('gh_activities');
    const before = await log.getFullList();
    const { collections } = over.records;
    const { fields } = await collections.getOne('gh_activities');
    const broken = fields.map((field) => (field.name === 'data' ? { ...field, maxSize: 1 } : field));
    await collections.update('gh_activities', { fields: broken });
    expect((await registerKey(product, mona)).status).toBeGreaterThanOrEqual(500);
    await collections.update('gh_activities', { fields });
    expect(await over.records.collection('webauthn').getFullList()).toEqual([]);
    expect(await log.getFullList()).toEqual(before);
  });
});
