import type { Effects } from '../../../src/audit/ports.ts';
import type {
  Admission,
  Challenge,
  Challenges,
  CodeFailures,
  Credential,
  Credentials,
  Holder,
  LostAuthenticator,
  LostAuthenticators,
  NewCredential,
  NewTotpApp,
  RemovalRecord,
  TotpApp,
  TotpApps,
} from '../../../src/authenticators/ports.ts';
import type { AuthenticatorType } from '../../../src/contract/authenticator-kinds.ts';
import type { checked } from '../../../src/shared/checked.ts';
import { copyOf, takeName, takeOut } from './rows.ts';
import { Fake, recordId } from './stage.ts';

const ADDED = new Date('2026-05-04T12:00:00Z');

/** A removed authenticator, its holder, and the effects. */
type Removed = { id: string; holder: Holder; effects: Effects; lost?: LostAuthenticator };

export class FakeChallenges extends Fake implements Challenges {
  readonly stored: Challenge[] = [];
  readonly consumed = new Set<string>();
  async add(challenge: Challenge) {
    this.stored.push(structuredClone(challenge));
  }
  async find(challenge: string) {
    return structuredClone(copyOf(this.stored, (one) => one.challenge === challenge));
  }
  async consume({ challenge }: Challenge) {
    return takeName(this.consumed, challenge);
  }
}

export class FakeCredentials extends Fake implements Credentials {
  declare readonly [checked]: 'trusted';
  readonly stored: (Credential & Partial<NewCredential> & { addedWith?: AuthenticatorType })[] = [];
  readonly removed: Removed[] = [];
  /** The effects of each registration. */
  readonly added: Effects[] = [];
  /** The effects of each rename. */
  readonly renamed: Effects[] = [];
  readonly #used = new Set<string>();
  async list(userId: string, orgRecordId: string) {
    return this.#active(userId, orgRecordId);
  }
  async all(userId: string, orgRecordId: string) {
    return this.#of(userId, orgRecordId);
  }
  async hasRecords(userId: string, orgRecordId: string) {
    return this.#active(userId, orgRecordId).length > 0;
  }
  async byId(id: string) {
    return this.stored.find((one) => one.id === id) ?? null;
  }
  async find(id: string) {
    return copyOf(this.stored, (one) => one.id === id);
  }
  async add(credential: NewCredential, _holder: Holder, admission: Admission, effects: Effects) {
    if (this.stored.some(({ keyId }) => keyId === credential.keyId)) return 'known' as const;
    const { userId, orgRecordId } = credential;
    const { order } = admission;
    if (order === 'first' && this.#active(userId, orgRecordId).length > 0) return 'notFirst' as const;
    const replaced = this.#of(userId, orgRecordId).filter(({ pending }) => pending !== '');
    for (const { id } of order === 'further' ? [] : replaced) takeOut(this.stored, id);
    const id = recordId();
    const how =
      admission.order === 'pending'
        ? { pending: admission.waitsFor, nonce: admission.nonce, enrolled: '' as const }
        : { pending: '' as const, nonce: '', enrolled: admission.enrolled };
    const added = admission.order === 'further' && { addedWith: admission.addedWith };
    this.stored.push({ ...credential, ...how, ...added, id, created: ADDED });
    this.added.push(effects);
    return { id, created: ADDED.toISOString() };
  }
  async rename(id: string, label: string, effects: Effects) {
    const found = this.stored.find((one) => one.id === id);
    if (!found) return false;
    found.label = label;
    this.renamed.push(effects);
    return true;
  }
  async remove({ id }: Credential, holder: Holder, { effects, lost }: RemovalRecord) {
    const isRemoved = takeOut(this.stored, id);
    if (isRemoved) this.removed.push({ id, holder, effects, ...(lost && { lost }) });
    return isRemoved;
  }
  async recordUse(credential: Credential, { counter }: { counter: number }) {
    if (counter !== 0 && !takeName(this.#used, `${credential.id}:${counter}`)) return false;
    const stored = this.stored.find(({ id }) => id === credential.id);
    if (stored) stored.counter = counter;
    return true;
  }
  #active(userId: string, orgRecordId: string): Credential[] {
    return this.#of(userId, orgRecordId).filter(({ pending }) => pending === '');
  }
  #of(userId: string, orgRecordId: string): Credential[] {
    return this.stored
      .filter((one) => one.userId === userId && one.orgRecordId === orgRecordId)
      .map((one) => ({ ...one }));
  }
}

export class FakeTotpApps extends Fake implements TotpApps {
  declare readonly [checked]: 'trusted';
  readonly stored: TotpApp[] = [];
  readonly removed: Removed[] = [];
  readonly added: Effects[] = [];
  readonly #steps = new Map<string, number>();
  async find(userId: string, orgRecordId: string) {
    return this.stored.find((one) => one.userId === userId && one.orgRecordId === orgRecordId) ?? null;
  }
  async hasRecord(userId: string, orgRecordId: string) {
    return this.stored.some((one) => one.userId === userId && one.orgRecordId === orgRecordId);
  }
  async byId(id: string) {
    return this.stored.find((one) => one.id === id) ?? null;
  }
  async add(
    { label, secret, step }: NewTotpApp,
    { userId, org }: Holder,
    { enrolled }: Exclude<Admission, { order: 'pending' }>,
    effects: Effects,
  ) {
    if (this.stored.some((one) => one.userId === userId && one.orgRecordId === org.recordId))
      return 'known' as const;
    const id = recordId();
    this.stored.push({ id, userId, orgRecordId: org.recordId, label, created: ADDED, secret, enrolled });
    this.#steps.set(id, step);
    this.added.push(effects);
    return { id, created: ADDED.toISOString() };
  }
  async remove({ id }: { id: string }, holder: Holder, { effects, lost }: RemovalRecord) {
    const isRemoved = takeOut(this.stored, id);
    if (isRemoved) this.removed.push({ id, holder, effects, ...(lost && { lost }) });
    return isRemoved;
  }
  async consume({ id }: TotpApp, step: number) {
    if (step <= (this.#steps.get(id) ?? -1)) return false;
    this.#steps.set(id, step);
    return true;
  }
}

export class FakeLostAuthenticators extends Fake implements LostAuthenticators {
  readonly stored: LostAuthenticator[] = [];
  async pending() {
    return [...this.stored];
  }
  async done({ id }: LostAuthenticator) {
    takeOut(this.stored, id);
  }
}

export class FakeCodeFailures extends Fake implements CodeFailures {
  /** By person and organization, the time of each attempt by its number. */
  readonly rows = new Map<string, Map<number, Date>>();
  async read(userId: string, orgRecordId: string) {
    const row = [...this.#row(userId, orgRecordId)].sort(([one], [other]) => one - other);
    const [newest = 0, last = null] = row.at(-1) ?? [];
    return { count: row.length, last, next: newest + 1 };
  }
  async claim(userId: string, orgRecordId: string, attempt: number, at: Date) {
    const row = this.#row(userId, orgRecordId);
    if (row.has(attempt)) return false;
    this.rows.set(`${userId}:${orgRecordId}`, row.set(attempt, at));
    return true;
  }
  async release(userId: string, orgRecordId: string, attempt: number) {
    this.#row(userId, orgRecordId).delete(attempt);
  }
  async clear(userId: string, orgRecordId: string) {
    this.rows.delete(`${userId}:${orgRecordId}`);
  }
  #row(userId: string, orgRecordId: string): Map<number, Date> {
    return this.rows.get(`${userId}:${orgRecordId}`) ?? new Map();
  }
}
