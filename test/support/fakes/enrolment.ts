import type { Effects } from '../../../src/audit/ports.ts';
import type {
  Credential,
  DeviceLink,
  DeviceLinks,
  EnrolmentAddresses,
  NewVouch,
  Vouches,
} from '../../../src/authenticators/ports.ts';
import type { FakeCredentials } from './authenticators.ts';
import type { FakeUsers } from './organizations.ts';
import { takeName } from './rows.ts';
import { Fake, recordId, type Stage } from './stage.ts';

/** Confirms what the fake credentials hold. */
export class FakeVouches extends Fake implements Vouches {
  readonly stored: (NewVouch & { credential: string; effects: Effects })[] = [];
  readonly #credentials: FakeCredentials;
  readonly #users: FakeUsers;
  constructor(stage: Stage, credentials: FakeCredentials, users: FakeUsers) {
    super(stage);
    this.#users = users;
    this.#credentials = credentials;
  }
  async waiting(orgRecordId: string, { unvouchedToo, most }: { unvouchedToo: boolean; most: number }) {
    return this.#credentials.stored
      .filter((one) => one.orgRecordId === orgRecordId)
      .filter(({ id, pending, enrolled }) =>
        pending === ''
          ? unvouchedToo && !['vouched', 'operator'].includes(enrolled) && !this.#has(id)
          : pending === 'vouch',
      )
      .slice(0, most)
      .map((one) => ({ credential: { ...one }, holder: this.#holderOf(one) }));
  }
  async confirm({ id, pending, publicKey }: Credential, vouch: NewVouch, effects: Effects) {
    const found = this.#credentials.stored.find((one) => one.id === id);
    const isSame = found?.pending === pending && found.publicKey === publicKey;
    if (!found || !isSame || this.#has(id)) return false;
    if (pending !== '') Object.assign(found, { pending: '', enrolled: vouch.enrolled });
    this.stored.push({ ...vouch, credential: id, effects });
    return true;
  }
  async among(ids: string[]) {
    return new Set(ids.filter((id) => this.#has(id)));
  }
  #holderOf({ userId }: Credential) {
    const profile = this.#users.profiles.get(userId);
    return { id: profile?.id ?? 0, login: profile?.login ?? '' };
  }
  #has(id: string): boolean {
    return this.stored.some(({ credential }) => credential === id);
  }
}

export class FakeDeviceLinks extends Fake implements DeviceLinks {
  readonly stored: (DeviceLink & { hash: string })[] = [];
  readonly #used = new Set<string>();
  async add(link: Omit<DeviceLink, 'id'> & { hash: string }) {
    this.stored.push({ ...link, id: recordId() });
  }
  async find(hash: string) {
    return this.stored.find((one) => one.hash === hash) ?? null;
  }
  async consume({ id }: DeviceLink) {
    return takeName(this.#used, id);
  }
}

export class FakeEnrolmentAddresses extends Fake implements EnrolmentAddresses {
  /** GitHub's id of each holder, by the organization's record id and the folded address. */
  readonly holders = new Map<string, number>();
  async holderOf(orgRecordId: string, folded: string) {
    return this.holders.get(`${orgRecordId}:${folded}`) ?? null;
  }
}
