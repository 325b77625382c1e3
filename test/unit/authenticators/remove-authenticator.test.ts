import { describe, expect, it } from '@jest/globals';
import type { LostAuthenticator } from '../../../src/authenticators/ports.ts';
import { previewLoss, removeAuthenticator } from '../../../src/authenticators/remove-authenticator.ts';
import type { Action } from '../../../src/authenticators/step-up/step-up.ts';
import type { StepUp } from '../../../src/contract/step-up.ts';
import { CodeApp, type SoftwareAuthenticator } from '../../support/authenticator.ts';
import { codeOf } from '../../support/code-of.ts';
import { aCredential, anInstallation, aTotpApp } from '../../support/fakes.ts';
import { mona, octocat, type Person, worldWithKeys } from './world.ts';

const { avatarUrl: _avatar, ...MONA } = mona;

const removalOf = (authenticatorID: string): Action => ({ type: 'delete-authenticator', authenticatorID });

/** Mona is a member of `octo-org`, octocat owns it. Each has a key there, and mona also has an authenticator app. */
async function world() {
  const fakes = await worldWithKeys();
  const { org } = fakes;
  const withdrawn: LostAuthenticator[] = [];
  const deps = {
    ...fakes,
    withdrawn,
    withdrawLost: async (lost: LostAuthenticator) => withdrawn.push(lost) > 0,
    /** Like a key with which a person approved once a minute since noon. */
    countLost: async ({ since }: LostAuthenticator) => ({
      approvals: Math.round((fakes.clock.now().getTime() - since.getTime()) / 60_000),
      ...{ others: 0, openPulls: 1 },
    }),
  };
  for (const { userId, login } of [mona, octocat])
    deps.users.contacts.set(userId, { login, address: '', image: null });
  for (const { userId, ...person } of [mona, octocat])
    deps.users.profiles.set(userId, { ...person, id: person.githubId });
  const codes = new CodeApp(aTotpApp().secret);
  deps.totpApps.stored.push(aTotpApp({ id: 'app-of-mona', orgRecordId: org.id }));
  const w = {
    ...deps,
    codeProof: (authenticatorID: string) =>
      ({ ...removalOf(authenticatorID), otp: codes.codeAt(deps.clock.now().getTime()) }) as StepUp,
    /** A proof by the person's own key for the record; its challenge may be made for another one. */
    proof: (
      person: Person,
      id: string,
      { madeFor = id, ...change }: { madeFor?: string; key?: SoftwareAuthenticator; orgId?: number } = {},
    ) => fakes.proof(person, removalOf(madeFor), { shown: removalOf(id), ...change }),
    remove: (
      person: Person,
      id: string,
      proof: StepUp | undefined,
      collection: 'webauthn' | 'totps' = 'webauthn',
      lostSince?: Date,
    ) => removeAuthenticator(deps, { person, collection, id, proof, lostSince }),
    preview: (session: Person, id: string, since: Date, orgID = 9) =>
      previewLoss(deps, { session, orgID, collection: 'webauthn', id, since }),
  };
  return w;
}

type World = Awaited<ReturnType<typeof world>>;

const ownersProof = (w: World, change: Parameters<World['proof']>[2]) =>
  w.proof(octocat, 'key-of-mona', change);

const isUntouched = (w: World) => w.credentials.stored.length === 2 && w.totpApps.stored.length === 1;

describe('the removal of one’s own authenticator', () => {
  it('is logged with the person as the remover', async () => {
    const w = await world();
    await w.remove(mona, 'key-of-mona', await w.proof(mona, 'key-of-mona'));
    expect(w.credentials.removed).toEqual([
      {
        id: 'key-of-mona',
        holder: { ...MONA, org: { recordId: w.org.id, id: 9, name: 'octo-org' } },
        effects: {
          activity: {
            activity: 'authenticatorDelete',
            userId: 'mona',
            orgRecordId: w.org.id,
            data: { type: 'passkey', label: 'Key', login: 'mona', user: 'mona', org: 'octo-org' },
            subject: expect.stringMatching(/^credential:/),
            personFacts: { by: { id: 11, login: 'mona' }, holder: { id: 11, login: 'mona' } },
          },
          notices: [
            {
              kind: 'authenticatorRemoved',
              userId: 'mona',
              data: { type: 'passkey', label: 'Key', login: 'mona', by: 'mona', org: 'octo-org' },
            },
          ],
        },
      },
    ]);
  });

  it('works for a person who left the organization, without a request to GitHub', async () => {
    const w = await world();
    w.members.roles.clear();
    const proof = await w.proof(mona, 'key-of-mona');
    w.stage.calls.splice(0);
    await w.remove(mona, 'key-of-mona', proof);
    expect(w.stage.calls.filter((call) => call.startsWith('members.'))).toEqual([]);
  });
});

describe('the removal of a lost or stolen authenticator', () => {
  const ADDED = new Date('2026-05-04T12:00:00Z');
  const minutes = (count: number) => new Date(ADDED.getTime() + count * 60_000);

  it.each([mona, octocat])(
    'stores since when, for withdrawals, and notifies owners: by $login',
    async (by) => {
      const w = await world();
      w.memberships.notified = ['octocat', 'hubot'];
      w.clock.pass(60 * 60_000);
      const proof = await w.proof(by, 'key-of-mona');
      await w.remove(by, 'key-of-mona', proof, 'webauthn', minutes(10));
      const [removed] = w.credentials.removed;
      expect(removed?.lost).toEqual({
        id: 'key-of-mona',
        method: 'passkey',
        holder: { githubId: 11, login: 'mona' },
        org: { recordId: w.org.id, id: 9, name: 'octo-org' },
        since: minutes(10),
        by: { userId: by.userId, githubId: by.githubId, login: by.login },
      });
      expect(w.withdrawn).toEqual([removed?.lost]);
      expect(removed?.effects.activity.data.lostSince).toBe('2026-05-04T12:10:00.000Z');
      const notified = removed?.effects.notices.map(({ kind, userId }) => `${kind} ${userId}`);
      expect(notified).toContain('authenticatorLost hubot');
      expect(new Set(removed?.effects.notices.map(({ userId }) => userId)).size).toBe(notified?.length);
      const says = removed?.effects.notices.map(({ data }) => [data.lostSince, data.withdrawn]);
      expect(says).toEqual(notified?.map(() => ['2026-05-04T12:10:00.000Z', 50]));
    },
  );

  it('is done and says so, but isn’t answered like any other, while approvals by it are left', async () => {
    const w = await world();
    const proof = await w.proof(octocat, 'key-of-mona');
    const deps = { ...w, withdrawLost: async () => false };
    const input = { person: octocat, collection: 'webauthn', id: 'key-of-mona', proof } as const;
    expect(await codeOf(removeAuthenticator(deps, { ...input, lostSince: minutes(0) }))).toBe(
      'lossUnfinished',
    );
    expect(w.credentials.removed).toHaveLength(1);
  });

  it.each<[string, typeof mona, Parameters<World['preview']>[1], number, number, unknown]>([
    ['its holder', mona, 'key-of-mona', 0, 9, { approvals: 60, others: 0, openPulls: 1 }],
    ['an owner', octocat, 'key-of-mona', 50, 9, { approvals: 10, others: 0, openPulls: 1 }],
    ['another member', mona, 'key-of-octocat', 0, 9, 'notYourAuthenticator'],
    ['an owner, for another organization', octocat, 'key-of-mona', 0, 10, 'authenticatorNotFound'],
    ['an owner, for no authenticator', octocat, 'no-key', 0, 9, 'authenticatorNotFound'],
    ['its holder, from the future', mona, 'key-of-mona', 66, 9, 'wrongLostSince'],
  ])('can be asked about before, by %s', async (_who, person, id, at, orgID, expected) => {
    const w = await world();
    w.clock.pass(60 * 60_000);
    const outcome = w.preview(person, id, minutes(at), orgID);
    expect(await outcome.catch(({ code }) => code)).toEqual(expected);
    expect([isUntouched(w), w.withdrawn]).toEqual([true, []]);
  });

  it('counts from now if the browser’s clock is ahead', async () => {
    const w = await world();
    w.clock.pass(60 * 60_000);
    const proof = await w.proof(mona, 'key-of-mona');
    await w.remove(mona, 'key-of-mona', proof, 'webauthn', minutes(64));
    expect(w.withdrawn.map(({ since }) => since)).toEqual([minutes(60)]);
  });

  it.each([-1, 66])(
    'is refused %i minutes after it was added, an hour ago, with its proof unused',
    async (at) => {
      const w = await world();
      w.clock.pass(60 * 60_000);
      const proof = await w.proof(mona, 'key-of-mona');
      const outcome = w.remove(mona, 'key-of-mona', proof, 'webauthn', minutes(at));
      const code = await codeOf(outcome);
      expect([code, w.challenges.consumed.size, w.withdrawn]).toEqual(['wrongLostSince', 0, []]);
    },
  );
});

describe('the removal of a member’s authenticator by an owner', () => {
  it.each([
    ['key-of-mona', 'webauthn'],
    ['app-of-mona', 'totps'],
  ] as const)('requires a proof by the owner’s authenticator for that record: %s', async (id, collection) => {
    const w = await world();
    await w.remove(octocat, id, await w.proof(octocat, id), collection);
    const removed = collection === 'webauthn' ? w.credentials.removed : w.totpApps.removed;
    expect(removed).toEqual([
      {
        id,
        holder: { ...MONA, org: { recordId: w.org.id, id: 9, name: 'octo-org' } },
        effects: {
          activity: expect.objectContaining({
            activity: 'memberAuthenticatorDelete',
            userId: 'octocat',
            data: expect.objectContaining({ login: 'octocat', user: 'mona' }),
          }),
          notices: [
            expect.objectContaining({ kind: 'memberAuthenticatorRemoved', userId: 'mona' }),
            expect.objectContaining({ kind: 'ownerRemovedAuthenticator', userId: 'octocat' }),
          ],
        },
      },
    ]);
    expect(w.credentials.stored.map((one) => one.id)).toContain('key-of-octocat');
  });

  it.each([mona, octocat])(
    'clears the member’s wrong codes with the app, and no others: by $login',
    async (by) => {
      const w = await world();
      for (const userId of ['mona', 'octocat'])
        w.codeFailures.rows.set(`${userId}:${w.org.id}`, new Map([[1, w.clock.now()]]));
      const proof = await w.proof(by, 'app-of-mona');
      await w.remove(by, 'app-of-mona', proof, 'totps');
      expect([...w.codeFailures.rows.keys()]).toEqual([`octocat:${w.org.id}`]);
    },
  );

  it.each<[string, (w: World) => Promise<StepUp | undefined>, string]>([
    ['none', async () => undefined, 'stepUpRequired'],
    ['one by the member', (w) => w.proof(mona, 'key-of-mona'), 'challengeUnknown'],
    ['one by the member’s key', (w) => ownersProof(w, { key: w.keys.mona }), 'notYourAuthenticator'],
    ['one for another', (w) => ownersProof(w, { madeFor: 'key-of-octocat' }), 'otherStepUp'],
    ['one that names another record', (w) => w.proof(octocat, 'key-of-octocat'), 'otherStepUp'],
    ['one of another organization', (w) => ownersProof(w, { orgId: 10 }), 'challengeUnknown'],
    ['the member’s one-time code', async (w) => w.codeProof('key-of-mona'), 'missingAuthenticator'],
  ])('is refused with a proof that is %s', async (_what, make, code) => {
    const w = await world();
    expect(await codeOf(w.remove(octocat, 'key-of-mona', await make(w)))).toBe(code);
    expect(isUntouched(w)).toBe(true);
  });

  it.each<[string, (w: World) => unknown, string]>([
    ['a member', (w) => w.members.set(9, octocat.githubId, 'member'), 'notYourAuthenticator'],
    [
      'an owner while the App is suspended',
      (w) => w.organizations.save(anInstallation({ suspended: true })),
      'installationSuspended',
    ],
    ['an owner in an outage', (w) => w.stage.fail('members.role', 'githubUnavailable'), 'githubUnavailable'],
  ])('is refused to %s, and uses up no proof', async (_who, change, code) => {
    const w = await world();
    const proof = await w.proof(octocat, 'key-of-mona');
    await change(w);
    expect(await codeOf(w.remove(octocat, 'key-of-mona', proof))).toBe(code);
    expect([isUntouched(w), w.challenges.consumed.size]).toEqual([true, 0]);
  });

  it('is refused for an authenticator in another organization', async () => {
    const w = await world();
    const account = { id: 10, login: 'other-org', type: 'Organization', htmlUrl: '' } as const;
    const other = await w.organizations.save(anInstallation({ id: 6, account }));
    w.credentials.stored.push(
      aCredential(w.keys.mona, { id: 'elsewhere', userId: 'mona', orgRecordId: other.id }),
    );
    const outcome = w.remove(octocat, 'elsewhere', await w.proof(octocat, 'elsewhere'));
    expect(await codeOf(outcome)).toBe('notYourAuthenticator');
  });

  it('succeeds for one of two simultaneous requests', async () => {
    const w = await world();
    const proofs = [await w.proof(octocat, 'key-of-mona'), await w.proof(octocat, 'key-of-mona')];
    const outcomes = await Promise.all(
      proofs.map((proof) => codeOf(w.remove(octocat, 'key-of-mona', proof))),
    );
    expect(outcomes.sort()).toEqual(['authenticatorNotFound', 'passes']);
  });

  it('removes nothing if any call of GitHub or the record store fails', async () => {
    const plain = await world();
    const begun = await plain.proof(octocat, 'app-of-mona');
    plain.stage.calls.splice(0);
    await plain.remove(octocat, 'app-of-mona', begun, 'totps');
    const calls = [...new Set(plain.stage.calls)].filter((call) => call !== 'codeFailures.clear');
    expect(calls).toContain('members.role');
    expect(calls.length).toBeGreaterThanOrEqual(8);
    for (const call of calls) {
      const w = await world();
      const proof = await w.proof(octocat, 'app-of-mona');
      w.stage.fail(call, 'storeUnavailable');
      const outcome = w.remove(octocat, 'app-of-mona', proof, 'totps');
      expect([call, await codeOf(outcome), isUntouched(w)]).toEqual([call, 'storeUnavailable', true]);
    }
  });
});
