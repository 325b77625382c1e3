import type {
  Challenge,
  Challenges,
  CodeFailures,
  Credential,
  Credentials,
  Entry,
  NewCredential,
  NewTotpApp,
  Owner,
  Remover,
  TotpApp,
  TotpApps,
} from '../../../src/authenticators/ports.ts';
import { Fake, recordId } from './stage.ts';

/** What was removed: whose it was, and who removed it. */
type Removed = { id: string; owner: Owner; by: Remover };

export class FakeChallenges extends Fake implements Challenges {
  readonly stored: Challenge[] = [];
  readonly spent = new Set<string>();
  add(challenge: Challenge) {
    return this.stage.play('challenges.add', () => void this.stored.push(structuredClone(challenge)));
  }
  find(challenge: string) {
    return this.stage.play('challenges.find', () => {
      const found = this.stored.find((one) => one.challenge === challenge);
      return found ? structuredClone(found) : null;
    });
  }
  spend({ challenge }: Challenge) {
    return this.stage.play('challenges.spend', () => {
      if (this.spent.has(challenge)) return false;
      this.spent.add(challenge);
      return true;
    });
  }
}

export class FakeCredentials extends Fake implements Credentials {
  readonly stored: (Credential & Partial<NewCredential>)[] = [];
  readonly removed: Removed[] = [];
  readonly #used = new Set<string>();
  of(userId: string, orgRecordId: string) {
    return this.stage.play('credentials.of', () => this.#own(userId, orgRecordId));
  }
  byId(id: string) {
    return this.stage.play('credentials.byId', () => this.stored.find((one) => one.id === id) ?? null);
  }
  add(credential: NewCredential, _owner: Owner, entry: Entry) {
    return this.stage.play('credentials.add', () => {
      if (this.stored.some(({ keyId }) => keyId === credential.keyId)) return 'known' as const;
      const isFirst = this.#own(credential.userId, credential.orgRecordId).length === 0;
      if (entry === 'first' && !isFirst) return 'notFirst' as const;
      const id = recordId();
      this.stored.push({ ...credential, id });
      return { id, created: '2026-05-04T12:00:00.000Z' };
    });
  }
  rename(id: string, label: string) {
    return this.stage.play('credentials.rename', () => {
      for (const one of this.stored) if (one.id === id) one.label = label;
    });
  }
  remove({ id }: Credential, owner: Owner, by: Remover) {
    return this.stage.play('credentials.remove', () => {
      const at = this.stored.findIndex((one) => one.id === id);
      if (at >= 0) this.removed.push({ id, owner, by });
      if (at >= 0) this.stored.splice(at, 1);
      return at >= 0;
    });
  }
  used(credential: Credential, counter: number) {
    return this.stage.play('credentials.used', () => {
      const key = `${credential.id}:${counter}`;
      if (counter !== 0 && this.#used.has(key)) return false;
      this.#used.add(key);
      const stored = this.stored.find(({ id }) => id === credential.id);
      if (stored) stored.counter = counter;
      return true;
    });
  }
  #own(userId: string, orgRecordId: string): Credential[] {
    return this.stored
      .filter((one) => one.userId === userId && one.orgRecordId === orgRecordId)
      .map((one) => ({ ...one }));
  }
}

export class FakeTotpApps extends Fake implements TotpApps {
  readonly stored: TotpApp[] = [];
  readonly removed: Removed[] = [];
  readonly #steps = new Map<string, number>();
  of(userId: string, orgRecordId: string) {
    return this.stage.play(
      'totpApps.of',
      () => this.stored.find((one) => one.userId === userId && one.orgRecordId === orgRecordId) ?? null,
    );
  }
  byId(id: string) {
    return this.stage.play('totpApps.byId', () => this.stored.find((one) => one.id === id) ?? null);
  }
  add({ label, secret, step }: NewTotpApp, { userId, org }: Owner, _entry: Entry) {
    return this.stage.play('totpApps.add', () => {
      if (this.stored.some((one) => one.userId === userId && one.orgRecordId === org.recordId))
        return 'known' as const;
      const id = recordId();
      this.stored.push({ id, userId, orgRecordId: org.recordId, label, secret });
      this.#steps.set(id, step);
      return { id, created: '2026-05-04T12:00:00.000Z' };
    });
  }
  remove({ id }: { id: string }, owner: Owner, by: Remover) {
    return this.stage.play('totpApps.remove', () => {
      const at = this.stored.findIndex((one) => one.id === id);
      if (at >= 0) this.removed.push({ id, owner, by });
      if (at >= 0) this.stored.splice(at, 1);
      return at >= 0;
    });
  }
  spend({ id }: TotpApp, step: number) {
    return this.stage.play('totpApps.spend', () => {
      if (step <= (this.#steps.get(id) ?? -1)) return false;
      this.#steps.set(id, step);
      return true;
    });
  }
}

export class FakeCodeFailures extends Fake implements CodeFailures {
  readonly rows = new Map<string, Date[]>();
  of(userId: string, orgRecordId: string) {
    return this.stage.play('codeFailures.of', () => {
      const row = this.rows.get(`${userId}:${orgRecordId}`) ?? [];
      return { count: row.length, last: row.at(-1) ?? null, next: row.length + 1 };
    });
  }
  claim(userId: string, orgRecordId: string, place: number, at: Date) {
    return this.stage.play('codeFailures.claim', () => {
      const key = `${userId}:${orgRecordId}`;
      const row = this.rows.get(key) ?? [];
      if (place <= row.length) return false;
      this.rows.set(key, [...row, at]);
      return true;
    });
  }
  clear(userId: string, orgRecordId: string) {
    return this.stage.play('codeFailures.clear', () => void this.rows.delete(`${userId}:${orgRecordId}`));
  }
}
