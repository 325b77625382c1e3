import { describe, expect, it } from '@jest/globals';
import { credentialSubject } from '../../../src/audit/subjects.ts';
import { comparisonOf } from '../../../src/authenticators/comparison.ts';
import { publicKeySha256 } from '../../../src/authenticators/logged-credential.ts';
import { firstOneObstacle } from '../../../src/authenticators/register/first-one-obstacle.ts';
import { confirmOwner } from '../../../src/authenticators/vouch/confirm-owner.ts';
import { DEFAULT_POLICY } from '../../../src/contract/default-policy.ts';
import type { DeviceLinkAnswer, EnrolmentAnswer } from '../../../src/contract/enrolment.ts';
import type { Policy } from '../../../src/contract/policy.ts';
import type { VouchStatement } from '../../../src/contract/statement.ts';
import type { Organization } from '../../../src/organizations/ports.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { sha256OfJson } from '../../../src/shared/crypto.ts';
import {
  call,
  createWorld,
  HEADS,
  ORIGIN,
  orgOf,
  PEOPLE,
  tokenOf,
  type World,
} from '../../security/world.ts';
import { CodeApp, SoftwareAuthenticator } from '../../support/authenticator.ts';
import { FakeMailer } from '../../support/fakes.ts';

// Mona is a member and Octocat an owner of octo-org (9). Octocat is an owner of other-org (10), Hubot a member.

type Person = (typeof PEOPLE)[number];
type Asked = { challenge: string; options: { challenge: string }; statement: VouchStatement };
type Registered = { id: string; pending?: true; comparison?: string };

const [mona, octocat, hubot] = PEOPLE as [Person, Person, Person];
const KEY = 'register-authenticator';
const CHANGE = { type: 'change-policy', policy: DEFAULT_POLICY };

const modeOf = (enrolment: Partial<Policy['enrolment']>): Policy => ({
  ...DEFAULT_POLICY,
  enrolment: { ...DEFAULT_POLICY.enrolment, ...enrolment },
});
const VOUCHED = modeOf({ mode: 'vouched' });

/** A world in which the policy asks for this, and Mona has nothing in octo-org. */
async function world(policy = VOUCHED) {
  const made = await createWorld();
  const mailer = new FakeMailer(made.stage);
  const w: World & { mailer: FakeMailer } = { ...made, mailer };
  setPolicy(w, policy);
  const org = await orgRecord(w, 9);
  for (const kind of [w.credentials, w.totpApps])
    kind.stored.splice(0, kind.stored.length, ...(kind.stored.filter(isOfOthers(org, 'mona')) as never[]));
  return w;
}

const setPolicy = (w: World, policy: Policy) => {
  w.policies.policy = policy;
};

const isOfOthers = (org: string, userId: string) => (one: { userId: string; orgRecordId: string }) =>
  one.userId !== userId || one.orgRecordId !== org;

const orgRecord = async (w: World, orgId: number) => (await w.organizations.byOrgId(orgId))?.id ?? '';

const ask = (w: World, path: string, person: Person, body: object = {}, orgID = 9) =>
  call(w, path, person, { org: orgOf(orgID).login, orgID, accessToken: tokenOf(person), ...body });

/** The code of the refusal, or `ok`. */
const codeOf = async (answer: Promise<unknown>) => {
  const result = await answer.catch((error: unknown) => error);
  return result instanceof AppError ? result.code : 'ok';
};

async function register(
  w: World,
  person: Person,
  change: { key?: SoftwareAuthenticator; orgID?: number; [name: string]: unknown } = {},
): Promise<unknown> {
  const { key = new SoftwareAuthenticator(ORIGIN), orgID = 9, ...proofs } = change;
  const params = { label: 'Mine', type: 'passkey', org: orgOf(orgID).login, orgID };
  const accessToken = tokenOf(person);
  const asked = await call(w, '/github-register-authenticator-params', person, { ...params, accessToken });
  if (asked instanceof Error) return asked;
  const pkCreds = key.create((asked as Asked).options);
  return call(w, '/github-register-passkey', person, { params, pkCreds, accessToken, ...proofs });
}

const keyOf = (w: World, person: Person, orgID = 9) =>
  w.holdings.find((one) => one.person === person && one.org === orgID)?.key as SoftwareAuthenticator;

const appOf = (w: World, person: Person) =>
  w.holdings.find((one) => one.person === person && one.org === 9)?.app as CodeApp;

/** Removes the keys of a person in octo-org. */
async function loseKeys(w: World, { userId }: Person): Promise<void> {
  const org = await orgRecord(w, 9);
  const { stored } = w.credentials;
  stored.splice(0, stored.length, ...stored.filter(isOfOthers(org, userId)));
}

/** A signed step-up of this type. */
async function proofOf(
  w: World,
  person: Person,
  type: string,
  authenticatorID?: string,
  key = keyOf(w, person),
) {
  const asked = await ask(w, '/webauthn-challenge', person, { type, authenticatorID });
  if (asked instanceof Error) throw asked;
  return { type, authenticatorID, webauthn: key.get((asked as Asked).options) };
}

/** Signs a vouch and sends it. */
async function vouch(w: World, person: Person, id: string, key?: SoftwareAuthenticator): Promise<unknown> {
  try {
    const stepUp = await proofOf(w, person, 'vouch', id, key);
    return await ask(w, '/github-vouch', person, { authenticatorID: id, stepUp });
  } catch (error) {
    return error;
  }
}

const enrolmentOf = async (w: World, person: Person) =>
  (await ask(w, '/organization-enrolment', person)) as EnrolmentAnswer;

const approvalOf = (w: World, person: Person) => {
  const { org, ...rest } = { org: 9, installation: 5, owner: 'octo-org', ownerID: 9, repo: 'hello', pr: 1 };
  const target = { ...rest, head: HEADS[0], accessToken: tokenOf(person) };
  return call(w, '/github-check-webauthn-params', person, target);
};

describe('a first authenticator where a member has to vouch', () => {
  it('is pending with digits to compare, and counts for nothing until an owner vouches', async () => {
    const w = await world();
    w.memberships.notified = ['octocat'];
    const key = new SoftwareAuthenticator(ORIGIN);
    const registered = (await register(w, mona, { key })) as Registered;
    expect(registered).toMatchObject({ pending: true, comparison: expect.stringMatching(/^\d{3} \d{3}$/) });
    expect(await codeOf(approvalOf(w, mona))).toBe('pendingAuthenticator');
    for (const type of [KEY, 'end-sessions'])
      expect(await codeOf(ask(w, '/webauthn-challenge', mona, { type, memberID: 12 }))).toBe(
        'pendingAuthenticator',
      );
    expect(await enrolmentOf(w, mona)).toMatchObject({
      mode: 'vouched',
      active: 0,
      mayVouch: false,
      waiting: [],
      own: [{ id: registered.id, comparison: registered.comparison, waitsFor: 'vouch' }],
    });
    const { waiting } = await enrolmentOf(w, octocat);
    const page = `/vouch?org=octo-org&orgID=9&authenticator=${registered.id}`;
    const { id, comparison } = registered;
    expect(waiting).toMatchObject([{ id, comparison, page, holder: { id: mona.githubId, login: 'mona' } }]);
    w.memberships.notified = ['octocat', 'another owner'];
    expect(await codeOf(vouch(w, octocat, registered.id))).toBe('ok');
    expect(await codeOf(approvalOf(w, mona))).toBe('ok');
    expect(await enrolmentOf(w, mona)).toMatchObject({ active: 1, own: [] });
    const [stored] = w.vouches.stored;
    expect(stored).toMatchObject({
      enrolled: 'vouched',
      voucher: { githubId: octocat.githubId, login: 'octocat' },
      proof: { statement: { purpose: 'vouch', host: ORIGIN, credential: { holder: { id: mona.githubId } } } },
      effects: { activity: { activity: 'vouch', userId: 'octocat', subject: credentialSubject(key.id) } },
    });
    expect(stored?.effects.activity.personFacts).toMatchObject({
      by: { id: octocat.githubId },
      holder: { id: mona.githubId },
      credential: { publicKeySha256: publicKeySha256(key.publicKey) },
      proofSha256: sha256OfJson(stored?.proof),
    });
    expect(stored?.effects.notices.map(({ kind, userId }) => [kind, userId])).toEqual([
      ['vouchedFor', 'mona'],
      ['youVouched', 'octocat'],
      ['memberVouchedFor', 'another owner'],
    ]);
    expect(w.credentials.added.at(-1)?.notices.map(({ kind }) => kind)).toEqual([
      'authenticatorPending',
      'vouchWanted',
    ]);
  });

  it('can’t be an authenticator app', async () => {
    const w = await world();
    const app = new CodeApp();
    const totpValue = app.codeAt(w.clock.now().getTime());
    const body = { totpSecret: app.base32, totpValue };
    expect(await codeOf(ask(w, '/github-register-totp', mona, body))).toBe('codesCantBeFirst');
    expect(w.totpApps.stored.some(({ userId }) => userId === 'mona')).toBe(false);
  });

  it('replaces the waiting authenticator, so that a thief’s never stands in the way, and its digits differ', async () => {
    const w = await world();
    const thiefs = (await register(w, mona)) as Registered;
    const signed = await proofOf(w, octocat, 'vouch', thiefs.id);
    const own = (await register(w, mona)) as Registered;
    expect((await enrolmentOf(w, octocat)).waiting.map(({ id }) => id)).toEqual([own.id]);
    // Neither for the replaced authenticator, nor for its successor.
    for (const [id, code] of [
      [thiefs.id, 'authenticatorNotFound'],
      [own.id, 'otherStepUp'],
    ] as const) {
      const stepUp = { ...signed, authenticatorID: id };
      expect([id, await codeOf(ask(w, '/github-vouch', octocat, { authenticatorID: id, stepUp }))]).toEqual([
        id,
        code,
      ]);
    }
    // Owners get one e-mail, regardless of how often a thief registers.
    w.memberships.notified = ['octocat'];
    const next = (await register(w, mona)) as Registered;
    expect(w.credentials.added.at(-1)?.notices.map(({ kind }) => kind)).toEqual(['authenticatorPending']);
    // Two of a million may be the same.
    expect(new Set([thiefs, own, next].map(({ comparison }) => comparison)).size).toBeGreaterThan(1);
  });

  it('isn’t asked of a person who is enrolled: a further one needs a step-up, and inherits the trust', async () => {
    const w = await world();
    const before = w.credentials.stored.length;
    expect(await codeOf(register(w, octocat))).toBe('stepUpRequired');
    expect(await register(w, octocat, { stepUp: await proofOf(w, octocat, KEY) })).not.toHaveProperty(
      'pending',
    );
    expect(w.credentials.stored.slice(before)).toMatchObject([{ enrolled: '', addedWith: 'passkey' }]);
    const confirmedBy = publicKeySha256(keyOf(w, octocat).publicKey);
    expect(w.credentials.added.at(-1)?.activity.personFacts).toMatchObject({ confirmedBy });
    const { id } = (await register(w, mona)) as Registered;
    await vouch(w, octocat, id);
    const [own] = w.credentials.stored.filter((one) => one.id === id);
    expect(own).toMatchObject({ pending: '', enrolled: 'vouched' });
    // An app alone enrols them too.
    await loseKeys(w, octocat);
    expect(await codeOf(register(w, octocat))).toBe('stepUpRequired');
  });
});

const CODES = 'Register a passkey or security key first.';
const MAIL = 'Your first authenticator here needs a code by e-mail.';
it.each<[Policy['enrolment']['mode'], string, { mail?: false; onlyCodes?: true; app?: true }, string | null]>(
  [
    ['open', 'without mail', { mail: false, onlyCodes: true }, null],
    ['email', 'with mail', {}, null],
    ['email', 'without mail', { mail: false, onlyCodes: true }, MAIL],
    ['email', 'without mail, for somebody who has an app', { mail: false, app: true }, null],
    ['vouched', 'with a key', { mail: false }, null],
    ['vouched', 'in a browser that can only do codes', { onlyCodes: true }, CODES],
  ],
)('a first authenticator by the mode %s is possible, or not, %s', async (mode, _when, given, obstacle) => {
  const policy = modeOf({ mode });
  const w = await world(policy);
  const { mail = true, onlyCodes = false, app = false } = given;
  const deps = { ...w, mailer: mail ? w.mailer : null };
  const [userId, orgRecordId] = [app ? 'octocat' : 'mona', await orgRecord(w, 9)];
  const found = await firstOneObstacle(deps as never, { policy, userId, orgRecordId, onlyCodes });
  expect(found?.slice(0, obstacle?.length) ?? null).toBe(obstacle);
});

describe('a vouch', () => {
  it('is refused for a person who may not give it', async () => {
    const w = await world();
    const key = new SoftwareAuthenticator(ORIGIN);
    const { id } = (await register(w, mona, { key })) as Registered;
    const org = (await w.organizations.byOrgId(9)) as Organization;
    // A second member with an authenticator, and one who only waits.
    const member = { ...hubot, orgs: [9] };
    w.members.set(9, hubot.githubId, 'member');
    w.memberships.put(org, { ...hubot, role: 'member' }, { userId: 'hubot' });
    expect(await codeOf(vouch(w, mona, id, key))).toBe('ownVouch');
    expect(await codeOf(vouch(w, member, id))).toBe('notVoucher');
    setPolicy(w, modeOf({ mode: 'vouched', vouchers: 'members' }));
    expect(await codeOf(vouch(w, mona, id, key))).toBe('ownVouch');
    expect(await codeOf(vouch(w, member, id))).toBe('missingAuthenticator');
    const theirs = new SoftwareAuthenticator(ORIGIN);
    const pending = (await register(w, member, { key: theirs })) as Registered;
    expect(await codeOf(vouch(w, member, id, theirs))).toBe('pendingAuthenticator');
    expect(await codeOf(vouch(w, octocat, pending.id))).toBe('ok');
    // Left, as GitHub says now, and of another organization.
    const signed = await proofOf(w, member, 'vouch', id, theirs);
    w.members.roles.delete(`9:${hubot.githubId}`);
    const body = { authenticatorID: id, stepUp: signed };
    expect(await codeOf(ask(w, '/github-vouch', member, body))).toBe('notMember');
    expect(await codeOf(ask(w, '/github-vouch', hubot, body, 10))).toBe('authenticatorNotFound');
    w.members.set(9, hubot.githubId, 'member');
    expect(await codeOf(ask(w, '/github-vouch', member, body))).toBe('ok');
  });

  it('is asked for with the user verification that the policy demands of it, like every step-up', async () => {
    for (const userVerification of ['preferred', 'required'] as const) {
      const w = await world({ ...VOUCHED, assurance: { ...VOUCHED.assurance, userVerification } });
      const { id } = (await register(w, mona)) as Registered;
      for (const about of [{ type: 'vouch', authenticatorID: id }, { type: KEY }, CHANGE]) {
        const asked = await ask(w, '/webauthn-challenge', octocat, about);
        expect(asked).toMatchObject({ options: { userVerification } });
      }
    }
  });

  it('is refused with a one-time code, with nothing, and with a signature for something else', async () => {
    const w = await world();
    const { id } = (await register(w, mona)) as Registered;
    const code = w.holdings.find((one) => one.person === octocat)?.app.codeAt(w.clock.now().getTime());
    const send = (stepUp: unknown, authenticatorID = id) =>
      codeOf(ask(w, '/github-vouch', octocat, { authenticatorID, stepUp }));
    expect(await send({ type: 'vouch', otp: code })).toBe('vouchNeedsKey');
    expect(await send(undefined)).toBe('stepUpRequired');
    const removal = await proofOf(w, octocat, 'delete-authenticator', id);
    expect(await send(removal)).toBe('otherStepUp');
    expect(await send({ ...removal, type: 'vouch' })).toBe('challengeUnknown');
    const signed = await proofOf(w, octocat, 'vouch', id);
    expect(await send({ ...signed, authenticatorID: 'f'.repeat(15) })).toBe('otherStepUp');
    expect(await codeOf(ask(w, '/webauthn-challenge', octocat, { type: 'vouch' }))).toBe('malformed');
    expect(w.vouches.stored).toEqual([]);
  });

  it('is bound to the person: not for a key that waits for another person, who then takes its record’s place', async () => {
    const w = await world();
    const { id } = (await register(w, mona)) as Registered;
    const stepUp = await proofOf(w, octocat, 'vouch', id);
    w.members.set(9, hubot.githubId, 'member');
    const found = w.credentials.stored.find((one) => one.id === id);
    for (const change of [
      { userId: 'hubot' },
      { publicKey: new SoftwareAuthenticator(ORIGIN).publicKey },
      { keyId: 'other' },
    ]) {
      const before = { ...found };
      Object.assign(found ?? {}, change);
      const sent = ask(w, '/github-vouch', octocat, { authenticatorID: id, stepUp });
      expect([change, await codeOf(sent)]).toEqual([change, 'otherStepUp']);
      Object.assign(found ?? {}, before);
    }
  });

  it('works once, for one of two who vouch at the same time', async () => {
    const w = await world();
    const { id } = (await register(w, mona)) as Registered;
    const proofs = [await proofOf(w, octocat, 'vouch', id), await proofOf(w, octocat, 'vouch', id)];
    const [first] = proofs;
    const outcomes = await Promise.all(
      proofs.map((stepUp) => codeOf(ask(w, '/github-vouch', octocat, { authenticatorID: id, stepUp }))),
    );
    expect(outcomes.sort()).toEqual(['alreadyDecided', 'ok']);
    const again = ask(w, '/github-vouch', octocat, { authenticatorID: id, stepUp: first });
    expect(await codeOf(again)).toBe('alreadyDecided');
    expect(w.vouches.stored).toHaveLength(1);
  });

  const models = ['ee882879-721c-4913-9775-3dfcce97072a'];
  const leave = ({ members }: World) => members.roles.delete(`9:${mona.githubId}`);
  it.each<[string, (w: World) => unknown, string]>([
    [
      'with a key that the organization doesn’t accept',
      (w) => setPolicy(w, { ...VOUCHED, assurance: { ...VOUCHED.assurance, models } }),
      'notAccepted',
    ],
    ['if the holder left', leave, 'memberNotFound'],
    [
      'if GitHub doesn’t say whether the holder is a member',
      (w) => leave(w) && w.installations.all.splice(0),
      'memberNotFound',
    ],
  ])('is refused %s', async (_what, change, code) => {
    const w = await world();
    const { id } = (await register(w, mona)) as Registered;
    const stepUp = await proofOf(w, octocat, 'vouch', id);
    change(w);
    expect(await codeOf(ask(w, '/github-vouch', octocat, { authenticatorID: id, stepUp }))).toBe(code);
    expect(w.vouches.stored).toEqual([]);
  });

  it('is for one registration: the same key, registered again, has other digits', async () => {
    const w = await world();
    const key = new SoftwareAuthenticator(ORIGIN);
    const { id } = (await register(w, mona, { key })) as Registered;
    const signed = await proofOf(w, octocat, 'vouch', id);
    await loseKeys(w, mona);
    const again = (await register(w, mona, { key })) as Registered;
    const stepUp = { ...signed, authenticatorID: again.id };
    const sent = ask(w, '/github-vouch', octocat, { authenticatorID: again.id, stepUp });
    expect(await codeOf(sent)).toBe('otherStepUp');
  });

  it('uses nothing up while GitHub doesn’t answer', async () => {
    const w = await world();
    const { id } = (await register(w, mona)) as Registered;
    const stepUp = await proofOf(w, octocat, 'vouch', id);
    w.stage.fail('members.role', 'githubUnavailable');
    const send = () => codeOf(ask(w, '/github-vouch', octocat, { authenticatorID: id, stepUp }));
    expect([await send(), await send()]).toEqual(['githubUnavailable', 'ok']);
  });
});

describe('authenticators from before', () => {
  const from = (day: string) => modeOf({ mode: 'vouched', vouchExistingBy: day });

  it('count until the day, then need a vouch: keys get one, codes are registered again', async () => {
    const w = await world(from('2026-05-05'));
    // The fakes' time is May 4th.
    const org = await orgRecord(w, 9);
    const vouched = w.credentials.stored.find((one) => one.userId === 'octocat' && one.orgRecordId === org);
    const { id } = (await register(w, mona)) as Registered;
    const monas = w.credentials.stored.find((one) => one.id === id);
    Object.assign(monas ?? {}, { pending: '', enrolled: 'open' });
    expect(await codeOf(approvalOf(w, mona))).toBe('ok');
    const own = (await enrolmentOf(w, mona)).own;
    expect(own).toMatchObject([{ id, waitsFor: 'existing' }]);
    expect((await enrolmentOf(w, octocat)).waiting).toMatchObject([
      { id, waitsFor: 'existing', comparison: own[0]?.comparison },
    ]);
    expect(await codeOf(vouch(w, mona, id))).toBe('ownVouch');
    Object.assign(vouched ?? {}, { enrolled: 'operator' });
    w.clock.pass(24 * 60 * 60_000);
    expect(await codeOf(approvalOf(w, mona))).toBe('vouchNeeded');
    expect(await enrolmentOf(w, mona)).toMatchObject({ active: 0 });
    expect(await codeOf(vouch(w, octocat, id))).toBe('ok');
    const challenge = ask(w, '/webauthn-challenge', octocat, { type: 'vouch', authenticatorID: id });
    expect(await codeOf(challenge)).toBe('alreadyDecided');
    expect(await codeOf(approvalOf(w, mona))).toBe('ok');
    // Octocat's app came in without a vouch.
    const app = w.holdings.find((one) => one.person === octocat)?.app as CodeApp;
    const otp = app.codeAt(w.clock.now().getTime());
    const body = { stepUp: { type: KEY, otp } };
    expect(await codeOf(ask(w, '/device-link', octocat, body))).toBe('missingAuthenticator');
  });

  it('lock nobody out: a day that has come needs an owner whose own key has a vouch', async () => {
    const w = await world(DEFAULT_POLICY);
    const org = await orgRecord(w, 9);
    const set = async (day: string | undefined, otp?: string) => {
      const enrolment = { mode: 'vouched', vouchExistingBy: day };
      const policy = JSON.stringify({ version: 1, enrolment });
      const asked = await ask(w, '/webauthn-challenge', octocat, { type: 'change-policy', policy });
      const webauthn = asked instanceof Error ? undefined : keyOf(w, octocat).get((asked as Asked).options);
      const stepUp = { type: 'change-policy', ...(otp ? { otp } : { webauthn }) };
      return ask(w, '/github-set-policy', octocat, { policy, stepUp });
    };
    for (const day of ['2026-05-04', '2020-01-01']) {
      const refused = await set(day);
      expect(refused).toMatchObject({ code: 'wrongPolicy', status: 400 });
      expect((refused as Error).message).toMatch(/^enrolment\.vouchExistingBy: .* later day\.$/);
    }
    // A code can't vouch, so an authenticator that would count opens no door.
    Object.assign(
      w.totpApps.stored.find((one) => one.userId === 'octocat' && one.orgRecordId === org) ?? {},
      {
        enrolled: 'operator',
      },
    );
    expect(await codeOf(set('2026-05-04'))).toBe('wrongPolicy');
    expect(await codeOf(set('2026-05-05'))).toBe('ok');
    const key = w.credentials.stored.find((one) => one.userId === 'octocat' && one.orgRecordId === org);
    Object.assign(key ?? {}, { enrolled: 'operator' });
    expect(await codeOf(set('2026-05-04'))).toBe('ok');
    expect(await codeOf(set(undefined))).toBe('ok');
    // A vouch for a key that came in without one.
    Object.assign(key ?? {}, { enrolled: '' });
    expect(await codeOf(set('2026-05-04'))).toBe('wrongPolicy');
    w.vouches.stored.push({ credential: key?.id } as (typeof w.vouches.stored)[number]);
    expect(await codeOf(set('2026-05-04'))).toBe('ok');
  });

  it('let their person register a pending one when none counts any more', async () => {
    const w = await world(from('2026-05-01'));
    expect(await codeOf(ask(w, '/webauthn-challenge', octocat, { type: KEY }))).toBe('vouchNeeded');
    expect(await register(w, octocat)).toMatchObject({ pending: true });
  });
});

describe('a link for the person’s other device', () => {
  const linkOf = async (w: World, person: Person) =>
    (await ask(w, '/device-link', person, { stepUp: await proofOf(w, person, KEY) })) as DeviceLinkAnswer;
  const secretIn = ({ url }: DeviceLinkAnswer) =>
    new URLSearchParams(new URL(url).hash.slice(1)).get('secret');

  it('registers an authenticator that stays pending until the first device confirms it', async () => {
    const w = await world();
    w.memberships.notified = ['octocat', 'hubot'];
    const link = await linkOf(w, octocat);
    expect(link.url).toMatch(
      /^https:\/\/guard\.example\.org\/second-device#org=octo-org&orgID=9&secret=[A-Za-z0-9_-]{43}$/,
    );
    const deviceLink = secretIn(link);
    expect(JSON.stringify(w.deviceLinks.stored)).not.toContain(deviceLink);
    const key = new SoftwareAuthenticator(ORIGIN);
    const made = (await register(w, octocat, { key, deviceLink })) as Registered;
    expect(made).toMatchObject({ pending: true, comparison: expect.any(String) });
    // Owners get no e-mail: nobody but its holder confirms it.
    expect(w.credentials.added.at(-1)?.notices.map(({ kind }) => kind)).toEqual(['devicePending']);
    const { own, waiting } = await enrolmentOf(w, octocat);
    expect([own, waiting]).toMatchObject([[{ id: made.id, waitsFor: 'device' }], []]);
    // Itself can't, and nobody else.
    expect(await codeOf(vouch(w, octocat, made.id, key))).toBe('pendingAuthenticator');
    w.members.set(9, hubot.githubId, 'admin');
    const other = { ...hubot, orgs: [9] };
    const stepUp = { type: 'vouch', webauthn: key.get({ challenge: 'AAAA' }) };
    const body = { authenticatorID: made.id, stepUp };
    expect(await codeOf(ask(w, '/github-vouch', other, body))).toBe('otherDevice');
    expect(await codeOf(vouch(w, octocat, made.id))).toBe('ok');
    expect((await enrolmentOf(w, octocat)).active).toBe(3);
    // It has the trust of the device that confirmed it, which nobody vouched for.
    expect(w.vouches.stored[0]).toMatchObject({ enrolled: '', addedWith: 'passkey' });
    expect(w.vouches.stored[0]?.effects.notices.map(({ kind }) => kind)).toEqual(['authenticatorAdded']);
  });

  it('is refused to a person who only has an app, because the first device confirms with a signature', async () => {
    const w = await world();
    const otp = appOf(w, octocat).codeAt(w.clock.now().getTime());
    await loseKeys(w, octocat);
    expect(await codeOf(ask(w, '/device-link', octocat, { stepUp: { type: KEY, otp } }))).toBe(
      'deviceNeedsKey',
    );
    expect(w.deviceLinks.stored).toEqual([]);
  });

  it('is ignored once the first device is lost: the other one waits for a vouch', async () => {
    const w = await world();
    const deviceLink = secretIn(await linkOf(w, octocat));
    await loseKeys(w, octocat);
    w.totpApps.stored.splice(0);
    await register(w, octocat, { deviceLink });
    expect((await enrolmentOf(w, octocat)).own).toMatchObject([{ waitsFor: 'vouch' }]);
  });

  it('works once, within ten minutes, for this person and organization', async () => {
    const w = await world();
    const deviceLink = secretIn(await linkOf(w, octocat));
    const inOther = { deviceLink, orgID: 10 };
    expect(await codeOf(register(w, octocat, inOther))).toBe('deviceLinkUnknown');
    expect(await codeOf(register(w, octocat, { deviceLink: 'A'.repeat(43) }))).toBe('deviceLinkUnknown');
    const outcomes = await Promise.all([1, 2].map(() => codeOf(register(w, octocat, { deviceLink }))));
    expect(outcomes.sort()).toEqual(['deviceLinkUsed', 'ok']);
    expect(await codeOf(register(w, octocat, { deviceLink }))).toBe('deviceLinkUsed');
    const late = secretIn(await linkOf(w, octocat));
    w.clock.pass(10 * 60_000);
    expect(await codeOf(register(w, octocat, { deviceLink: late }))).toBe('deviceLinkUnknown');
    // Another person, who has an authenticator and the link.
    const stolen = secretIn(await linkOf(w, octocat));
    const { id } = (await register(w, mona)) as Registered;
    await vouch(w, octocat, id);
    expect(await codeOf(register(w, mona, { deviceLink: stolen }))).toBe('deviceLinkUnknown');
    expect(await codeOf(ask(w, '/device-link', mona))).toBe('stepUpRequired');
  });
});

describe('a first authenticator with a company address', () => {
  const EMAIL = modeOf({ mode: 'email', domains: ['example.org', 'münchen.example'] });
  type W = Awaited<ReturnType<typeof world>>;

  async function withCode(w: W, person: Person, email: string, body: object = { orgID: 9 }) {
    const sent = await call(w, '/github-precheck-email', person, { email, ...body });
    if (sent instanceof Error) throw sent;
    const [code] = w.mailer.newest().split(' ');
    return { email, code, ...(sent as { ts: number; sig: string }) };
  }

  it('needs a fresh code for this organization, and is stored with the address', async () => {
    const w = await world(EMAIL);
    w.memberships.notified = ['octocat'];
    expect(await codeOf(register(w, mona))).toBe('emailCodeRequired');
    const emailCode = await withCode(w, mona, 'Mona+otp@Example.ORG');
    expect(w.mailer.sent.at(-1)?.to).toBe('Mona+otp@example.org');
    const wrong = { ...emailCode, code: emailCode.code === '000000' ? '111111' : '000000' };
    expect(await codeOf(register(w, mona, { emailCode: wrong }))).toBe('wrongEmailCode');
    expect(await register(w, mona, { emailCode })).not.toHaveProperty('pending');
    const stored = w.credentials.stored.find(
      ({ userId, enrolled }) => userId === 'mona' && enrolled === 'email',
    );
    expect(stored?.pending).toBe('');
    expect(w.credentials.added.at(-1)?.notices).toMatchObject([
      { kind: 'authenticatorAdded', userId: 'mona' },
      {
        kind: 'firstAuthenticator',
        userId: 'octocat',
        data: { address: 'Mona+otp@example.org', login: 'mona' },
      },
    ]);
    w.credentials.stored.splice(w.credentials.stored.indexOf(stored as never), 1);
    expect(await codeOf(register(w, mona, { emailCode }))).toBe('emailCodeUnknown');
  });

  it('is refused with a code for anything else', async () => {
    const w = await world(EMAIL);
    const forNotices = await withCode(w, mona, 'mona@example.org', {});
    expect(await codeOf(register(w, mona, { emailCode: forNotices }))).toBe('emailCodeUnknown');
    const enrolling = await withCode(w, mona, 'mona@example.org');
    expect(await codeOf(call(w, '/github-confirm-email', mona, enrolling))).toBe('emailCodeUnknown');
    const elsewhere = await withCode(w, octocat, 'octocat@example.org', { orgID: 10 });
    expect(await codeOf(register(w, octocat, { emailCode: elsewhere }))).toBe('stepUpRequired');
    w.credentials.stored.splice(0, w.credentials.stored.length);
    w.totpApps.stored.splice(0, w.totpApps.stored.length);
    expect(await codeOf(register(w, octocat, { emailCode: elsewhere }))).toBe('emailCodeUnknown');
    expect(await codeOf(register(w, mona, { emailCode: { ...enrolling, email: 'eve@example.org' } }))).toBe(
      'emailCodeUnknown',
    );
    expect(await codeOf(register(w, octocat, { emailCode: enrolling }))).toBe('emailCodeUnknown');
    // The organization changed its domains, or its mode, in the meantime.
    setPolicy(w, modeOf({ mode: 'email', domains: ['example.com'] }));
    expect(await codeOf(register(w, mona, { emailCode: enrolling }))).toBe('otherDomain');
    setPolicy(w, VOUCHED);
    expect(await register(w, mona, { emailCode: enrolling })).toMatchObject({ pending: true });
  });

  it('needs an address at exactly one of the domains, and sends nothing elsewhere', async () => {
    const w = await world(EMAIL);
    for (const email of [
      'mona@mail.example.org',
      'mona@example.org.evil.example',
      'mona@evilexample.org',
      'mona@exаmple.org',
      'mona@example.com',
    ]) {
      const sent = call(w, '/github-precheck-email', mona, { email, orgID: 9 });
      expect([email, await codeOf(sent)]).toEqual([email, 'otherDomain']);
    }
    expect(w.mailer.sent).toEqual([]);
    for (const email of ['mona@ＥＸＡＭＰＬＥ.org', 'mona@MÜNCHEN.example']) await withCode(w, mona, email);
    expect(w.mailer.sent.map(({ to }) => to)).toEqual(['mona@example.org', 'mona@xn--mnchen-3ya.example']);
    expect(await codeOf(call(w, '/github-precheck-email', hubot, { email: 'h@example.org', orgID: 9 }))).toBe(
      'notMember',
    );
    setPolicy(w, DEFAULT_POLICY);
    expect(await codeOf(call(w, '/github-precheck-email', mona, { email: 'm@example.org', orgID: 9 }))).toBe(
      'noAddressNeeded',
    );
  });

  it('can’t be guessed for months: a person gets ten codes in a day', async () => {
    const w = await world(EMAIL);
    const send = (person: Person, orgID = 9) =>
      codeOf(call(w, '/github-precheck-email', person, { email: 'nobody@example.org', orgID }));
    const sent: string[] = [];
    for (let hour = 0; hour < 12; hour += 1) {
      sent.push(await send(mona));
      w.clock.pass(60 * 60_000);
    }
    expect(sent).toEqual([...Array(10).fill('ok'), 'tooManyRequests', 'tooManyRequests']);
    expect(await send(octocat)).toBe('ok');
    w.clock.pass(12 * 60 * 60_000);
    expect(await send(mona)).toBe('ok');
  });

  it('lets one person in with one address, however they write it', async () => {
    const w = await world(EMAIL);
    w.enrolmentAddresses.holders.set(`${await orgRecord(w, 9)}:eve@example.org`, hubot.githubId);
    for (const email of ['eve@example.org', 'EVE@example.org', 'eve+2@example.org', 'ｅve@example.org']) {
      // Each is for another hour, because a person gets three e-mails in one.
      w.clock.pass(60 * 60_000);
      const emailCode = await withCode(w, mona, email);
      expect([email, await codeOf(register(w, mona, { emailCode }))]).toEqual([email, 'addressTaken']);
    }
  });
});

describe('the operator’s command', () => {
  it('confirms an owner’s authenticator by its digits, and notifies every owner', async () => {
    const w = await world();
    w.memberships.notified = ['octocat', 'owner'];
    const { id, comparison = '' } = (await register(w, mona)) as Registered;
    const org = await w.organizations.byName('OCTO-ORG');
    if (!org) throw new Error('no organization');
    const confirm = (code?: string) => confirmOwner(w, { org, owner: mona, code });
    expect(await codeOf(confirm())).toBe('notOwner');
    w.members.set(9, mona.githubId, 'admin');
    expect(await confirm()).toMatchObject({ waiting: [{ id, comparison }] });
    expect(await confirm(comparison.replace(' ', ''))).toMatchObject({ confirmed: { id } });
    expect(w.vouches.stored).toMatchObject([
      { enrolled: 'operator', proof: null, effects: { activity: { activity: 'confirmOwner' } } },
    ]);
    expect(w.vouches.stored[0]?.effects.notices.map(({ userId }) => userId)).toEqual([
      'mona',
      'octocat',
      'owner',
    ]);
    expect(await codeOf(confirm(comparison))).toBe('authenticatorNotFound');
  });
});

it.each([
  ['nonce, so that nobody can look for a key with certain digits', { id: 'record' }, 'nonce'],
  ['record’s id for a key without a nonce', { nonce: '' }, 'id'],
] as const)('digits depend on the %s', (_what, fixed, varied) => {
  const digitsOf = (text: string) =>
    comparisonOf({ id: '', nonce: '', publicKey: 'AAAA', ...fixed, [varied]: text });
  expect(digitsOf('one')).toBe(digitsOf('one'));
  // Two of four may be the same.
  expect(new Set(['one', 'two', 'three', 'four'].map(digitsOf)).size).toBeGreaterThan(2);
});
