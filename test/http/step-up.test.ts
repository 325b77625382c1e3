import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listOf, ownRecord, proofBy, registerCodes, registerKey } from '../support/account.ts';
import { CodeApp, type SoftwareAuthenticator } from '../support/authenticator.ts';
import { type Session, startTestProduct, type TestProduct } from '../support/product.ts';

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
  const app = new CodeApp();

  beforeAll(async () => {
    product = await startTestProduct({ clock: { now: () => new Date(now) } });
    [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
    monasKey = (await registerKey(product, mona, { label: 'The first' })).key;
  });

  afterAll(() => product?.stop());

  // Each test has its own one-time codes.
  beforeEach(() => {
    now += 5 * 30_000;
  });

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

    // Which proofs are refused: test/unit/authenticators/remove-authenticator.test.ts.
    it('is refused without our person’s session and GitHub token, and on any other path', async () => {
      const valid = await proofBy(product, mona, monasKey, action());
      const tries: [string, Parameters<TestProduct['remove']>[3], Partial<Session>, number][] = [
        ['no json', '{', mona, 400],
        ['the session of another person', valid, octocat, 403],
        ['the GitHub token of another person', valid, { ...mona, accessToken: octocat.accessToken }, 403],
        ['no session', valid, { accessToken: mona.accessToken }, 401],
        ['no GitHub token', valid, { token: mona.token }, 401],
      ];
      for (const [name, proof, session, status] of tries) {
        const answer = await product.remove('webauthn', id, session, proof);
        expect([name, answer.status, answer.text]).toEqual([name, status, expect.stringMatching(SENTENCE)]);
      }
      for (const collection of ['totps', '%77ebauthn', 'webauthn/', 'gh_users']) {
        const answer = await product.remove(collection, id, mona, valid);
        expect([collection, answer.status]).toEqual([collection, 404]);
      }
      expect((await product.remove('webauthn', id, mona, valid)).status).toBe(204);
      expect((await product.remove('webauthn', id, mona, valid)).status).toBe(404);
    });
  });

  it('renames a security key to any text', async () => {
    const stepUp = await proofBy(product, mona, monasKey, REGISTER);
    const added = await registerKey(product, mona, { label: 'Old name', type: 'security-key', stepUp });
    const { id } = added.json<{ id: string }>();
    for (const label of HOSTILE) {
      const body = { type: 'security-key', id, label };
      expect((await product.call('/github-edit-authenticator', body, mona)).text).toBe('ok');
      const found = (await listOf(product, mona, 'webauthn')).find((record) => record.label === label);
      expect(found?.id).toBe(id);
    }
  });
});
