import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listed, setRole } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import { CodeApp, mapOf, orgOf, proofBy, registerCodes, registerKey } from '../support/authenticators.ts';
import {
  type Answer,
  approvalOptions,
  type Session,
  startTestProduct,
  type TestProduct,
  targetOf,
} from '../support/product.ts';

const REGISTER = { type: 'register-authenticator' } as const;
const SENTENCE = /^[^\n<>{}]{5,200}$/;
const deletion = (authenticatorID: string) => ({ type: 'delete-authenticator', authenticatorID }) as const;
const sentence = ({ status, text }: Answer) => [status, text];

type Collection = 'webauthn' | 'totps';

describe('an owner who removes a member’s authenticator', () => {
  let product: TestProduct;
  let mona: Session;
  let octocat: Session;
  let octocatsKey: SoftwareAuthenticator;
  let ahead = 0;
  const octocatsApp = new CodeApp();
  const now = () => Date.now() + ahead;

  beforeAll(async () => {
    product = await startTestProduct({ clock: { now: () => new Date(now()) } });
    [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
    octocatsKey = (await registerKey(product, octocat, { label: 'Of octocat' })).key;
    const stepUp = await proofBy(product, octocat, octocatsKey, REGISTER);
    await registerCodes(product, octocat, { app: octocatsApp, code: octocatsApp.codeAt(now()), stepUp });
  });

  afterAll(() => product?.stop());

  // Each test has its own one-time codes, and asks GitHub again.
  beforeEach(() => {
    ahead += 5 * 60_000;
  });

  /** What an owner of the organization sees of a person. */
  const recordsOf = async (person: Session, collection: Collection, by = octocat) => {
    const name = collection === 'totps' ? 'user_id' : 'user';
    const { items } = await listed(product, by, collection);
    return items.filter((record) => record[name] === person.record.id);
  };
  const idOf = async (person: Session, collection: Collection, label?: string) => {
    const found = (await recordsOf(person, collection)).find(
      (record) => label === undefined || record.label === label,
    );
    if (!found) throw new Error(`nothing of ${person.login}`);
    return String(found.id);
  };
  /** A first authenticator. */
  const enrol = async (person: Session, label = 'The only one', type = 'passkey') => {
    const { status, text, key } = await registerKey(product, person, { label, type });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return key;
  };
  /** Removes every authenticator of a person, with the owner's key. */
  const clear = async (person: Session) => {
    for (const collection of ['webauthn', 'totps'] as const) {
      for (const { id } of await recordsOf(person, collection)) {
        const proof = await proofBy(product, octocat, octocatsKey, deletion(String(id)));
        const { status } = await product.remove(collection, String(id), octocat, proof);
        if (status !== 204) throw new Error(`removal: ${status}`);
      }
    }
  };
  const removals = async (kind: string) =>
    (await listed(product, octocat, 'gh_activities', 'perPage=50&sort=-created')).items.filter(
      ({ activity }) => activity === kind,
    );

  it.each([
    ['passkey', 'key'],
    ['security-key', 'code'],
    ['totp', 'key'],
  ])(
    'removes a member’s only %s with their own %s, and the member’s next registration is a first one',
    async (type, by) => {
      const app = new CodeApp();
      if (type === 'totp') {
        expect((await registerCodes(product, mona, { app, code: app.codeAt(now()) })).status).toBe(200);
      } else {
        await enrol(mona, 'Lost', type);
      }
      const collection = type === 'totp' ? 'totps' : 'webauthn';
      const id = await idOf(mona, collection);
      const before = (await removals('memberAuthenticatorDelete')).length;
      const proof =
        by === 'key'
          ? await proofBy(product, octocat, octocatsKey, deletion(id))
          : { ...deletion(id), otp: octocatsApp.codeAt(now()) };
      expect(sentence(await product.remove(collection, id, octocat, proof))).toEqual([204, '']);
      expect(await recordsOf(mona, collection)).toEqual([]);
      expect(await mapOf(product, mona)).toEqual({});
      const [entry, ...earlier] = await removals('memberAuthenticatorDelete');
      expect(earlier).toHaveLength(before);
      expect(entry).toMatchObject({
        user_id: octocat.record.id,
        data: {
          type,
          label: type === 'totp' ? 'mona@octo-org/github' : 'Lost',
          login: 'octocat',
          user: 'mona',
          org: 'octo-org',
        },
      });
      expect(await removals('authenticatorDelete')).toEqual([]);
      // Like a person who never had one: without a step-up.
      await enrol(mona, 'Found');
      expect(await recordsOf(mona, 'webauthn')).toHaveLength(1);
      await clear(mona);
    },
  );

  it('removes one of several, and the member’s next registration needs a step-up', async () => {
    const first = await enrol(mona, 'First');
    const stepUp = await proofBy(product, mona, first, REGISTER);
    const second = await registerKey(product, mona, { label: 'Second', stepUp });
    expect(second.status).toBe(200);
    const id = await idOf(mona, 'webauthn', 'First');
    const proof = await proofBy(product, octocat, octocatsKey, deletion(id));
    expect((await product.remove('webauthn', id, octocat, proof)).status).toBe(204);
    expect(await mapOf(product, mona)).toEqual({
      [orgOf(product).orgID]: { totp: false, webauthn: [{ id: second.key.id }] },
    });
    expect((await registerKey(product, mona, { label: 'Third' })).status).toBe(403);
    await clear(mona);
  });

  it('is refused without a session, or with another person’s GitHub token', async () => {
    await enrol(mona, 'Kept');
    const id = await idOf(mona, 'webauthn', 'Kept');
    const proof = await proofBy(product, octocat, octocatsKey, deletion(id));
    const { token, accessToken } = octocat;
    const tries: [Partial<Session>, number][] = [
      [{}, 401],
      [{ accessToken }, 401],
      [{ token }, 401],
      [{ token, accessToken: mona.accessToken }, 403],
      [{ token, accessToken: product.github.facts.adminToken }, 401],
      [{ token: mona.token, accessToken }, 403],
    ];
    for (const [session, status] of tries)
      expect((await product.remove('webauthn', id, session, proof)).status).toBe(status);
    expect((await product.remove('webauthn', id, octocat, proof)).status).toBe(204);
  });

  it('ends what the member has begun with the authenticator: an approval and a registration', async () => {
    const monasKey = await enrol(mona, 'Lost');
    const pull = await product.pendingPull();
    const target = targetOf(product, pull);
    const { options } = await approvalOptions(product, mona, target);
    const proofOfMona = await proofBy(product, mona, monasKey, REGISTER);
    const id = await idOf(mona, 'webauthn', 'Lost');
    const proof = await proofBy(product, octocat, octocatsKey, deletion(id));
    expect((await product.remove('webauthn', id, octocat, proof)).status).toBe(204);
    const approval = await product.call(
      '/github-check-webauthn',
      { params: target, authResponse: monasKey.get(options), accessToken: mona.accessToken },
      mona,
    );
    expect(approval.status).toBe(403);
    expect(approval.text).toMatch(SENTENCE);
    expect((await product.runs(pull.head.sha)).map(({ status }) => status)).toEqual(['in_progress']);
    // A first authenticator needs no step-up, and a step-up that can't be checked is ignored.
    await enrol(mona, 'New');
    const further = await registerKey(product, mona, { label: 'By the lost one', stepUp: proofOfMona });
    expect(further.status).toBe(403);
    expect((await registerKey(product, mona, { label: 'Back again', key: monasKey })).status).toBe(403);
    await clear(mona);
  });

  it('withdraws the approvals made with a stolen authenticator since then, and leaves the others', async () => {
    const kept = await enrol(mona, 'Kept');
    const stepUp = await proofBy(product, mona, kept, REGISTER);
    const stolen = (await registerKey(product, mona, { label: 'Stolen', stepUp })).key;
    const pulls = [await product.pendingPull(), await product.pendingPull(), await product.pendingPull()];
    const since = [];
    for (const [index, pull] of pulls.entries()) {
      ahead += 60_000;
      since.push(new Date(now()).toISOString());
      const params = targetOf(product, pull);
      const { options } = await approvalOptions(product, mona, params);
      const authResponse = (index === 2 ? kept : stolen).get(options);
      const body = { params, authResponse, accessToken: mona.accessToken };
      expect((await product.call('/github-check-webauthn', body, mona)).status).toBe(200);
    }
    const id = await idOf(mona, 'webauthn', 'Stolen');
    for (const wrong of ['yesterday', '2020-01-01T00:00:00Z', '2199-01-01T00:00:00Z']) {
      const proof = await proofBy(product, octocat, octocatsKey, deletion(id));
      expect((await product.remove('webauthn', id, octocat, proof, wrong)).status).toBe(400);
    }
    const proof = await proofBy(product, octocat, octocatsKey, deletion(id));
    expect((await product.remove('webauthn', id, octocat, proof, since[1])).status).toBe(204);
    const shown = [];
    for (const { head } of pulls)
      shown.push((await product.runs(head.sha)).toSorted((a, b) => b.id - a.id)[0]?.status);
    expect(shown).toEqual(['completed', 'in_progress', 'completed']);
    expect((await removals('approvalWithdraw')).map(({ data }) => data)).toEqual([
      expect.objectContaining({
        login: 'octocat',
        user: 'mona',
        sha: pulls[1]?.head.sha,
        lostSince: since[1],
      }),
    ]);
    await clear(mona);
  });

  it('ends a member’s sessions with the owner’s own step-up for that member', async () => {
    const second = await product.signIn('mona');
    const memberID = Number(mona.record.github_id);
    const action = { type: 'end-sessions', memberID } as const;
    const end = (stepUp: unknown, by = octocat) =>
      product.call(
        '/end-member-sessions',
        { ...orgOf(product), memberID, stepUp, accessToken: by.accessToken },
        by,
      );
    await enrol(mona, 'Kept');
    const id = await idOf(mona, 'webauthn', 'Kept');
    const refusals = [
      await end(undefined),
      await end(await proofBy(product, octocat, octocatsKey, deletion(id))),
      await end({ ...(await proofBy(product, octocat, octocatsKey, deletion(id))), ...action }),
      await end(await proofBy(product, octocat, octocatsKey, { ...action, memberID: 99 })),
      await end({ ...action, otp: '000000' }),
      await end(await proofBy(product, octocat, octocatsKey, action), mona),
    ];
    for (const answer of refusals) {
      expect(answer.status).toBe(403);
      expect(answer.text).toMatch(SENTENCE);
    }
    const isIn = async ({ token }: Session) =>
      (await product.call('/webauthn-challenge', {}, { token })).status !== 401;
    expect([await isIn(mona), await isIn(second)]).toEqual([true, true]);
    const proof = await proofBy(product, octocat, octocatsKey, action);
    expect(sentence(await end(proof))).toEqual([200, 'ok']);
    expect([await isIn(mona), await isIn(second), await isIn(octocat)]).toEqual([false, false, true]);
    expect((await end(proof)).status).toBe(403);
    expect(await removals('memberSessionsEnd')).toHaveLength(1);
    mona = await product.signIn('mona');
    await clear(mona);
  });

  it('unlocks a member’s one-time codes by removing the app', async () => {
    const app = new CodeApp();
    expect((await registerCodes(product, mona, { app, code: app.codeAt(now()) })).status).toBe(200);
    ahead += 5 * 60_000;
    const pull = await product.pendingPull();
    const approve = (otp: string) =>
      product.call(
        '/github-totp-check',
        { ...targetOf(product, pull), otp, accessToken: mona.accessToken },
        mona,
      );
    for (let round = 0; round < 5; round += 1)
      expect((await approve(wrongCode(app, now()))).status).toBe(403);
    expect((await approve(app.codeAt(now()))).status).toBe(429);
    const id = await idOf(mona, 'totps');
    const proof = await proofBy(product, octocat, octocatsKey, deletion(id));
    expect((await product.remove('totps', id, octocat, proof)).status).toBe(204);
    const next = new CodeApp();
    expect((await registerCodes(product, mona, { app: next, code: next.codeAt(now()) })).status).toBe(200);
    ahead += 60_000;
    expect((await approve(next.codeAt(now()))).status).toBe(200);
    await clear(mona);
  });

  it('removes the authenticator of a former member', async () => {
    await enrol(mona, 'Left behind');
    await setRole(product, 'mona', null);
    ahead += 61_000;
    const id = await idOf(mona, 'webauthn', 'Left behind');
    const proof = await proofBy(product, octocat, octocatsKey, deletion(id));
    expect((await product.remove('webauthn', id, octocat, proof)).status).toBe(204);
    await setRole(product, 'mona', 'member');
  });
});

/** A code that the app does not show around this moment. */
function wrongCode(app: CodeApp, at: number): string {
  const shown = [-1, 0, 1].map((step) => app.codeAt(at + step * 30_000));
  return ['271828', '314159', '161803', '141421'].find((code) => !shown.includes(code)) ?? '';
}
