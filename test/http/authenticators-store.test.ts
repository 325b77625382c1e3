import { describe, expect, it } from '@jest/globals';
import { invalidateRestoredState } from '../../src/adapters/pocketbase/backups/restore-backup.ts';
import { credentialSubject } from '../../src/audit/subjects.ts';
import { registrationEffects, removalEffects } from '../../src/authenticators/effects.ts';
import type { Added, Admission, Credential } from '../../src/authenticators/ports.ts';
import { SoftwareAuthenticator } from '../support/authenticator.ts';
import { aCredential } from '../support/fakes.ts';
import { all, one, org, person, records, two } from '../support/own-store.ts';

const HOUR_MS = 60 * 60_000;
const FIRST = { order: 'first', enrolled: 'open' } as const;
const PENDING = { order: 'pending', waitsFor: 'vouch', nonce: 'n' } as const;
const VOUCHED = { enrolled: 'vouched', voucher: { githubId: 1, login: 'octocat' }, proof: null } as const;

/** A member of the organization, and what they can do with an authenticator. */
async function aMember() {
  const mona = await person('mona');
  await one.memberships.save(org, mona, 'member');
  const holder = { ...mona, org: { recordId: org.id, id: org.orgId, name: org.name } };
  const effects = registrationEffects(
    holder,
    { type: 'passkey', label: 'Key' },
    { admission: PENDING, owners: [] },
  );
  const add = (
    admission: Admission = PENDING,
    { credentials } = one,
    key = new SoftwareAuthenticator('http://localhost:3000'),
  ) => {
    const { id: _id, ...fresh } = aCredential(key, { userId: mona.userId, orgRecordId: org.id });
    return credentials.add({ ...fresh, backedUp: false, attested: false }, holder, admission, effects);
  };
  const known = async (added: Added | string) => {
    const found = typeof added === 'string' ? null : await one.credentials.find(added.id);
    if (!found) throw new Error(`not stored: ${added}`);
    return found;
  };
  const confirm = (credential: Credential, { vouches } = one) =>
    vouches.confirm(credential, { ...VOUCHED, holder }, effects);
  const stored = () =>
    all<{ id: string; pending: string; enrolled: string }>('webauthn', `org = "${org.id}"`);
  return { mona, holder, add, known, confirm, stored, effects };
}

describe('adding and removing an authenticator', () => {
  type Activity = { activity: string; user_id: string; data: object };
  type Queued = { kind: string; user: string; data: object };

  const activities = () => all<Activity>('gh_activities', `org = "${org.id}"`);
  const queued = (userId: string) => all<Queued>('notices', `user = "${userId}"`);

  it('adds one app if two processes add one at the same time', async () => {
    const { holder } = await aMember();
    const fresh = { label: 'App', secret: new Uint8Array(16), step: 1 };
    const admission = { order: 'further', enrolled: '', addedWith: 'passkey', confirmedBy: 'totp' } as const;
    const kind = { type: 'totp', label: 'App' } as const;
    const effects = registrationEffects(holder, kind, { admission, owners: [] });
    const add = ({ totpApps }: typeof one) => totpApps.add(fresh, holder, admission, effects);
    expect((await Promise.all([add(one), add(two)])).filter((added) => added === 'known')).toHaveLength(1);
    const [app0] = await all<{ id: string }>('totps', `org_id = "${org.id}"`);
    expect(app0).toMatchObject({ added_with: 'passkey' });
    expect((await activities()).at(-1)).toMatchObject({
      subject: `totps:${app0?.id}`,
      person: { facts: { by: { login: 'mona' }, confirmedBy: 'totp' } },
    });
    const find = async () => (await one.totpApps.find(holder.userId, org.id))?.label;
    expect(await find()).toBe('App');
    // The code of the registration is used up, and so is what came before a later code.
    const app = await one.totpApps.find(holder.userId, org.id);
    if (!app) throw new Error('not stored');
    const consume = (step: number, { totpApps } = one) => totpApps.consume(app, step);
    expect([await consume(1), await consume(5), await consume(4)]).toEqual([false, true, false]);
    expect((await Promise.all([consume(6), consume(6, two)])).sort()).toEqual([false, true]);
    await records.collection('totps').update(app0?.id ?? '', { enrolled: 'vouched' });
    expect(await find()).toBeUndefined();
    // A restore ends what people had begun and refuses the codes of the next two steps.
    const BEGUN = ['challenges', 'email_codes', 'device_links', 'reconcile_reports'];
    await one.reconcileReports.save({} as never);
    await invalidateRestoredState(one.client, new Date(100 * 30_000 + 29_999));
    expect(await Promise.all(BEGUN.map((name) => all(name)))).toEqual(BEGUN.map(() => []));
    const steps = await all<{ step: number }>('totp_steps', `totp = "${app0?.id}"`);
    expect(steps.map(({ step }) => step)).toEqual([1, 5, 4, 6, 102]);
  });

  it('is used once with each value of its counter, so that a copy is noticed', async () => {
    const w = await aMember();
    const known = await w.known(await w.add(FIRST));
    const use = ({ credentials }: typeof one) =>
      credentials.recordUse(known, { counter: 5, backedUp: false });
    expect((await Promise.all([use(one), use(two)])).sort()).toEqual([false, true]);
  });

  it('refuses the use of an authenticator that is removed at the same time', async () => {
    const mona = await person('mona');
    const { credentials } = one;
    const key = aCredential(new SoftwareAuthenticator('http://localhost:3000'), {
      id: 'aaaaaaaaaaaaaaa',
      userId: mona.userId,
      orgRecordId: org.id,
    });
    // A removed authenticator proves nothing: this is a refusal, not a 500.
    await expect(credentials.recordUse(key, { counter: 0, backedUp: false })).rejects.toMatchObject({
      code: 'authenticatorNotFound',
    });
  });

  it('removes it once and notifies once if two processes remove it', async () => {
    const w = await aMember();
    const { mona, holder } = w;
    const known = await w.known(await w.add(FIRST));
    const removed = { ...known, subject: credentialSubject(known.keyId) };
    const remove = ({ credentials }: typeof one, by: typeof mona) =>
      credentials.remove(known, holder, { effects: removalEffects(holder, removed, by), lost: null });
    const outcomes = await Promise.all([remove(one, await person('octocat')), remove(two, mona)]);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const log = (await activities()).filter(({ activity }) => /delete/i.test(activity));
    expect(log).toHaveLength(1);
    const sent = (await queued(mona.userId)).filter(({ kind }) => /removed/i.test(kind));
    expect(sent).toHaveLength(1);
  });
});

describe('a pending authenticator', () => {
  it('counts for nothing until it is confirmed, and is listed as waiting', async () => {
    const w = await aMember();
    const { credentials, vouches } = two;
    const pending = await w.known(await w.add());
    const { userId } = w.mona;
    expect(await credentials.list(userId, org.id)).toEqual([]);
    expect(await credentials.hasRecords(userId, org.id)).toBe(false);
    const held = () => one.heldAuthenticators.ofMembers(org.id);
    expect(await held()).toEqual([]);
    expect((await credentials.all(userId, org.id)).map(({ id }) => id)).toEqual([pending.id]);
    const page = { search: '', after: '', most: 10, state: 'pending' } as const;
    const standing = { enrolled: false, authenticators: 0, pending: true, address: '' };
    expect(await one.memberships.list(org.id, page)).toMatchObject({ total: 1, members: [standing] });
    const nobody = { reachable: 0, unreachable: 0 };
    expect(await one.memberships.count(org.id)).toMatchObject({ pending: 1, ...nobody });
    const holder = { id: w.mona.githubId, login: 'mona' };
    const listed = [{ credential: pending, holder }];
    expect(await vouches.waiting(org.id, { unvouchedToo: false, most: 5 })).toEqual(listed);
    expect(await w.confirm(pending)).toBe(true);
    expect(await credentials.list(userId, org.id)).toMatchObject([{ id: pending.id, enrolled: 'vouched' }]);
    expect([...(await vouches.among([pending.id, 'other']))]).toEqual([pending.id]);
    expect(await vouches.waiting(org.id, { unvouchedToo: true, most: 5 })).toEqual([]);
    expect(await held()).toMatchObject([{ login: 'mona', role: 'member' }]);
    const counts = { total: 1, enrolled: 1, one: 1, pending: 0 };
    expect(await one.memberships.count(org.id)).toEqual({ ...counts, ...nobody });
    // A sign-in alone can't register another first one.
    expect(await w.add(FIRST)).toBe('notFirst');
  });

  it('is one at most, regardless of how many are registered at the same time', async () => {
    const w = await aMember();
    const added = await Promise.all([one, two, one, two].map((each) => w.add(PENDING, each)));
    expect(added.filter((outcome) => typeof outcome !== 'string').length).toBeGreaterThan(0);
    expect(await w.stored()).toHaveLength(1);
    const key = new SoftwareAuthenticator('http://localhost:3000');
    await w.add(PENDING, one, key);
    expect(await w.add(PENDING, two, key)).not.toBe('known');
    expect(await w.stored()).toHaveLength(1);
  });

  it('isn’t needed by a first one, of which two processes at the same time store one', async () => {
    for (let round = 0; round < 3; round += 1) {
      const w = await aMember();
      const added = await Promise.all([w.add(FIRST, one), w.add(FIRST, two)]);
      expect(added.filter((outcome) => outcome === 'notFirst')).toHaveLength(1);
      expect(await w.stored()).toHaveLength(round + 1);
    }
  });

  it('is confirmed once, or replaced, or removed: never two of these', async () => {
    for (let round = 0; round < 4; round += 1) {
      const w = await aMember();
      const pending = await w.known(await w.add());
      const confirmed = await Promise.all([
        w.confirm(pending, one),
        w.confirm(pending, two),
        w.add(PENDING, two),
      ]);
      const times = confirmed.filter((outcome) => outcome === true).length;
      // An authenticator that is registered after the confirmation waits on its own.
      const left = (await w.stored()).find(({ id }) => id === pending.id);
      expect([times, left?.pending]).toEqual(left ? [1, ''] : [0, undefined]);
      expect(await w.confirm(pending)).toBe(false);
      const removal = { effects: w.effects, lost: null };
      expect(await one.credentials.remove(pending, w.holder, removal)).toBe(false);
      expect((await w.stored()).filter(({ id }) => id === pending.id)).toHaveLength(left ? 1 : 0);
    }
  });

  it('that was changed in the database is neither listed nor confirmed', async () => {
    const w = await aMember();
    const pending = await w.known(await w.add());
    for (const change of [
      { pending: '' },
      { enrolled: 'vouched' },
      { nonce: 'other' },
      { public_key: 'AAAA' },
    ]) {
      const before = await records.collection('webauthn').getOne(pending.id);
      await records.collection('webauthn').update(pending.id, change);
      expect(await one.credentials.all(w.mona.userId, org.id)).toEqual([]);
      expect(await one.credentials.find(pending.id)).toBeNull();
      expect(await one.credentials.hasRecords(w.mona.userId, org.id)).toBe(true);
      expect(await w.confirm(pending)).toBe(false);
      await records.collection('webauthn').update(pending.id, before);
    }
    // A forged vouch for an authenticator that came in without.
    await records.collection('vouches').create({ credential: pending.id, org: org.id, enrolled: 'vouched' });
    expect([...(await one.vouches.among([pending.id]))]).toEqual([]);
  });

  it('from before is listed until a member vouched for it, and its record only says so', async () => {
    const w = await aMember();
    const existing = await w.known(await w.add(FIRST));
    const { vouches, credentials } = two;
    const ids = async () =>
      (await vouches.waiting(org.id, { unvouchedToo: true, most: 5 })).map(({ credential }) => credential.id);
    expect(await ids()).toEqual([existing.id]);
    await one.memberships.save(org, w.mona, null);
    expect(await ids()).toEqual([]);
    await one.memberships.save(org, w.mona, 'member');
    // A use saves the credential's counter and MAC; a vouch at the same time mustn't spoil them.
    const used = Promise.all([
      w.confirm(existing),
      credentials.recordUse(existing, { counter: 7, backedUp: false }),
    ]);
    expect(await used).toEqual([true, true]);
    expect(await credentials.list(w.mona.userId, org.id)).toMatchObject([{ counter: 7, enrolled: 'open' }]);
    expect([[...(await vouches.among([existing.id]))], await ids()]).toEqual([[existing.id], []]);
    expect(await w.confirm(existing)).toBe(false);
  });

  it('is replaced by a first one, whose address only one person can have', async () => {
    const w = await aMember();
    await w.add();
    const address = { address: 'Mona+otp@example.org', folded: 'mona@example.org' };
    const first = { order: 'first', enrolled: 'email', address } as const;
    expect(typeof (await w.add(first))).toBe('object');
    expect(await w.stored()).toMatchObject([{ pending: '', enrolled: 'email' }]);
    const addresses = two.enrolmentAddresses;
    expect(await addresses.holderOf(org.id, address.folded)).toBe(w.mona.githubId);
    const page = { search: '', after: '', most: 10, state: 'one' } as const;
    const { members } = await one.memberships.list(org.id, page);
    expect(members).toMatchObject([{ address: address.address }]);
    const other = await aMember();
    expect(await other.add(first)).toBe('known');
    expect(await other.stored()).toHaveLength(1);
  });
});

describe('a device link', () => {
  it('is used once, by one of two processes, and is nothing if it was changed', async () => {
    const mona = await person('mona');
    const [links, others] = [one, two].map(({ deviceLinks }) => deviceLinks);
    const expires = new Date(Date.now() + 600_000);
    await links?.add({ hash: `hash-${org.orgId}`, userId: mona.userId, orgId: org.orgId, expires });
    const found = await others?.find(`hash-${org.orgId}`);
    if (!found) throw new Error('not stored');
    expect(found).toEqual({ id: found.id, userId: mona.userId, orgId: org.orgId, expires });
    expect((await Promise.all([links?.consume(found), others?.consume(found)])).sort()).toEqual([
      false,
      true,
    ]);
    const later = new Date(Date.now() + HOUR_MS).toISOString();
    await records.collection('device_links').update(found.id, { expires: later });
    expect(await links?.find(`hash-${org.orgId}`)).toBeNull();
  });
});
