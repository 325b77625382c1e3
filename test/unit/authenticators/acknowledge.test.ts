import { describe, expect, it } from '@jest/globals';
import { acknowledge, acknowledgeOptions } from '../../../src/authenticators/acknowledge.ts';
import type { Organization } from '../../../src/organizations/ports.ts';
import { openWeakenings } from '../../../src/protection/acknowledge.ts';
import type { NewWeakening } from '../../../src/protection/ports.ts';
import { codeOf } from '../../support/code-of.ts';
import { aWeakening } from '../../support/fakes.ts';
import { mona, ORIGIN, octocat, type Person, worldWithKeys } from './world.ts';

const accountOf = ({ githubId: id, login }: Person) => ({ id, login });
const [DISABLED] = aWeakening({ id: 'org' } as Organization);
const PROMOTED: NewWeakening = {
  ...DISABLED,
  repoId: null,
  change: { kind: 'ownerAdded', isWeaker: true, subject: '', before: 'no owner', after: 'owner' },
  person: accountOf(mona),
  by: null,
};

/** Octocat and mona own `octo-org`, and each has a key there. */
async function world(...weakenings: NewWeakening[]) {
  const deps = await worldWithKeys();
  const { org, keys } = deps;
  deps.members.set(9, mona.githubId, 'admin');
  const known = { ...deps.protections.accountNow, owners: [accountOf(octocat), accountOf(mona)] };
  deps.knownAccounts.known.set(org.id, known);
  for (const [at, one] of (weakenings.length > 0 ? weakenings : [DISABLED]).entries())
    await deps.weakenings.add(...([org, ...aWeakening(org, one, `${at}`)] as const));
  const all = { ...deps, readAccount: async () => deps.knownAccounts.get(org.id) };
  const about = (person: Person, entry = 1) => ({ person, orgID: 9, entry });
  const signed = async (person: Person, entry?: number) => {
    const { options } = await acknowledgeOptions(all, about(person, entry));
    return keys[person.userId].get(options);
  };
  const send = (person: Person, authResponse: unknown, entry?: number) =>
    acknowledge(all, { ...about(person, entry), authResponse });
  const sign = async (person: Person, entry?: number) => send(person, await signed(person, entry), entry);
  return { ...all, about, signed, send, sign };
}
const person = (githubId: number, login = `owner-${githubId}`): Person => ({ ...mona, githubId, login });
const HUBOT = person(77, 'hubot');
type World = Awaited<ReturnType<typeof world>>;

describe('the acknowledgement of a weakening', () => {
  it('is signed over the entry by another owner, logged with the signature, and counts once', async () => {
    const w = await world();
    const { statement } = await acknowledgeOptions(w, w.about(mona));
    expect(statement).toMatchObject({
      ...{ purpose: 'acknowledge', host: ORIGIN, user: accountOf(mona), org: { id: 9, login: 'octo-org' } },
      entry: { number: 1, leafHash: Buffer.alloc(32, 1).toString('base64') },
    });
    const proof = await w.signed(mona);
    await w.send(mona, proof);
    expect(w.weakenings.logged.at(-1)).toMatchObject({
      ...{ activity: 'weakeningAcknowledged', userId: 'mona', facts: { repoId: 42 } },
      data: { login: 'mona', entry: 1, repo: 'hello', change: DISABLED.change },
      personFacts: { by: accountOf(mona), proofSha256: expect.any(String) },
    });
    expect(await openWeakenings(w, w.org, octocat)).toEqual({ weakenings: [], weakeningsTotal: 0 });
    expect(await codeOf(w.send(mona, proof))).toBe('alreadyAcknowledged');
    await expect(w.send(octocat, proof)).rejects.toThrow(/^mona acknowledged this change in the meantime/);
  });

  it.each<[string, NewWeakening[], (w: World) => Promise<unknown>, string]>([
    ['by the owner who did it', [], (w) => w.sign(octocat), 'ownChange'],
    ['by a new owner, of their own promotion', [PROMOTED], (w) => w.sign(mona), 'newOwner'],
    ['by a new owner, of something else', [DISABLED, PROMOTED], (w) => w.sign(mona), 'newOwner'],
    [
      'by a new owner, after more weakenings than a page has',
      [PROMOTED, ...Array<NewWeakening>(100).fill({ ...DISABLED, by: null })],
      (w) => w.sign(mona, 2),
      'newOwner',
    ],
    [
      'by somebody who became an owner a moment ago',
      [],
      async (w) => {
        w.knownAccounts.known.set(w.org.id, {
          ...w.protections.accountNow,
          owners: [accountOf(octocat), { id: 77, login: 'hubot' }],
        });
        await w.sign(mona);
      },
      'newOwner',
    ],
    [
      'by a member',
      [],
      (w) => {
        w.members.set(9, mona.githubId, 'member');
        return w.sign(mona);
      },
      'notOwner',
    ],
    [
      'while GitHub does not say who is an owner',
      [],
      (w) => {
        w.stage.fail('members.role', 'githubUnavailable');
        return w.sign(mona);
      },
      'githubUnavailable',
    ],
    ['of an entry that is no weakening', [], (w) => w.sign(mona, 7), 'weakeningNotFound'],
    [
      'that is for another entry',
      [DISABLED, DISABLED],
      async (w) => w.send(mona, await w.signed(mona, 2), 1),
      'otherStepUp',
    ],
    [
      'that was signed over another leaf of the same number',
      [DISABLED],
      async (w) => {
        const proof = await w.signed(mona);
        Object.assign(w.weakenings.stored[0] ?? {}, { leafHash: 'another' });
        await w.send(mona, proof);
      },
      'otherStepUp',
    ],
    [
      'over a statement that somebody changed in the record store',
      [DISABLED],
      async (w) => {
        const proof = await w.signed(mona);
        const subject = w.challenges.stored[0]?.subject as { statement?: object } | undefined;
        Object.assign(subject?.statement ?? {}, { iat: 1 });
        await w.send(mona, proof);
      },
      'challengeUnknown',
    ],
    [
      'with the challenge of another owner',
      [{ ...DISABLED, by: null }],
      async (w) => w.send(mona, await w.signed(octocat)),
      'challengeUnknown',
    ],
    [
      'with a challenge for something else',
      [],
      async (w) => w.send(mona, (await w.proof(mona, { type: 'end-sessions', memberID: 12 })).webauthn),
      'challengeUnknown',
    ],
    [
      'with a challenge that was used before',
      [DISABLED],
      async (w) => {
        const proof = await w.signed(mona);
        const [challenge] = w.challenges.stored;
        if (challenge) await w.challenges.consume(challenge);
        await w.send(mona, proof);
      },
      'challengeUsed',
    ],
    [
      'with a wrong code',
      [],
      (w) => acknowledge(w, { ...w.about(mona), otp: '000000' }),
      'missingAuthenticator',
    ],
  ])('is refused %s', async (_when, weakenings, act, code) => {
    const w = await world(...weakenings);
    const before = w.weakenings.logged.length;
    expect([await codeOf(act(w)), w.weakenings.logged.length - before]).toEqual([code, 0]);
    expect(w.weakenings.stored.filter(({ acknowledged }) => acknowledged)).toEqual([]);
  });

  it('is one owner’s, of two who send theirs at the same moment', async () => {
    const w = await world({ ...DISABLED, by: null });
    const proofs = [await w.signed(mona), await w.signed(octocat)];
    const sent = await Promise.all([mona, octocat].map((by, at) => codeOf(w.send(by, proofs[at]))));
    expect(sent.filter((code) => code === 'alreadyAcknowledged')).toHaveLength(1);
    expect(w.weakenings.logged.filter(({ activity }) => activity === 'weakeningAcknowledged')).toHaveLength(
      1,
    );
  });

  it.each([
    ['the other owner', [], [octocat, mona], 'Ask mona to'],
    ['nobody who was just promoted', [PROMOTED], [octocat, mona, HUBOT], 'Ask hubot to'],
    ['nobody of many', [], [octocat, mona, HUBOT, person(78), person(79)], 'Ask another owner to'],
  ])('names %s to the owner who did it', async (_what, more, owners, text) => {
    const w = await world(DISABLED, ...more);
    w.knownAccounts.known.set(w.org.id, { ...w.protections.accountNow, owners: owners.map(accountOf) });
    const { weakenings } = await openWeakenings(w, w.org, octocat);
    expect(weakenings.find(({ entry }) => entry === 1)?.refusal).toContain(text);
    await expect(w.sign(octocat, 1)).rejects.toThrow(text);
  });

  it('is one owner’s alone if no other owner counts, and says so', async () => {
    for (const weakenings of [[DISABLED], [DISABLED, PROMOTED]]) {
      const w = await world(...weakenings);
      const owners = weakenings.length > 1 ? [octocat, mona] : [octocat];
      w.knownAccounts.known.set(w.org.id, { ...w.protections.accountNow, owners: owners.map(accountOf) });
      const open = await openWeakenings(w, w.org, octocat);
      const [shown] = open.weakenings.filter(({ entry }) => entry === 1);
      expect(shown).toMatchObject({ isAlone: true, refusal: null, by: 'octocat' });
      await w.sign(octocat, 1);
      expect(w.weakenings.logged.at(-1)?.data).toMatchObject({ alone: true });
    }
  });

  it('is the only owner’s, even of their own promotion', async () => {
    const w = await world(PROMOTED);
    w.knownAccounts.known.set(w.org.id, { ...w.protections.accountNow, owners: [accountOf(mona)] });
    const [shown] = (await openWeakenings(w, w.org, mona)).weakenings;
    expect(shown).toMatchObject({ isAlone: true, refusal: null });
    await w.sign(mona);
    expect(w.weakenings.logged.at(-1)?.data).toMatchObject({ alone: true });
  });

  it('is any owner’s if GitHub named nobody, and shown to each with what keeps them from it', async () => {
    const w = await world(PROMOTED, DISABLED);
    const shown = async (person: Person) =>
      (await openWeakenings(w, w.org, person)).weakenings.map(({ entry, refusal, text }) => [
        entry,
        refusal,
        text,
      ]);
    const rule = "hello: the rule “OTP Guard” isn't enforced; octocat did this.";
    const owner = 'mona became an owner; GitHub didn’t say who did this.';
    const isNew = 'Nobody has acknowledged yet that you became an owner. Ask another owner to do that first.';
    expect(await shown(mona)).toEqual([
      [2, isNew, rule],
      [1, isNew, owner],
    ]);
    expect(await shown(octocat)).toEqual([
      [2, null, rule],
      [1, null, owner],
    ]);
    await w.sign(octocat, 1);
    expect((await shown(mona)).map(([entry, refusal]) => [entry, refusal])).toEqual([[2, null]]);
  });
});
