import type {
  Mailer,
  MailMessage,
  Notice,
  NoticeData,
  NoticeKind,
  Notices,
} from '../../../src/notices/ports.ts';
import type { EmailCode, EmailCodes } from '../../../src/people/ports.ts';
import type { Quota } from '../../../src/shared/limits.ts';
import { Fake, recordId } from './stage.ts';

/** Messages that are still to be sent. */
export class FakeNotices extends Fake implements Notices {
  readonly stored: Notice[] = [];
  readonly #claimed = new Set<string>();
  due(now: Date, most: number) {
    return this.stage.play('notices.due', () =>
      this.stored
        .filter(({ due }) => due <= now)
        .sort((one, other) => one.due.getTime() - other.due.getTime())
        .slice(0, most)
        .map((notice) => ({ ...notice })),
    );
  }
  claim({ id, tries }: Notice) {
    return this.stage.play('notices.claim', () => {
      const key = `${id}:${tries}`;
      if (this.#claimed.has(key)) return false;
      this.#claimed.add(key);
      return true;
    });
  }
  retry({ id, tries }: Notice, due: Date) {
    return this.stage.play('notices.retry', () => {
      const notice = this.stored.find((one) => one.id === id);
      if (notice) Object.assign(notice, { tries: tries + 1, due });
    });
  }
  done({ id }: Notice) {
    return this.stage.play('notices.done', () => {
      const at = this.stored.findIndex((one) => one.id === id);
      if (at >= 0) this.stored.splice(at, 1);
    });
  }
  count() {
    return this.stage.play('notices.count', () => this.stored.length);
  }
  add(notice: { kind: NoticeKind; data: NoticeData; userId: string }, due: Date) {
    return this.stage.play('notices.add', () => this.put({ ...notice, due }));
  }
  /** Adds a message that was queued before. */
  put(notice: Pick<Notice, 'kind' | 'due'> & Partial<Notice>): void {
    this.stored.push({ id: recordId(), data: {}, userId: '', to: '', tries: 0, ...notice });
  }
}

export class FakeQuota extends Fake implements Quota {
  readonly taken: { key: string; until: Date }[] = [];
  take(key: string, { most, ms }: { most: number; ms: number }, now: Date) {
    return this.stage.play('quota.take', () => {
      const held = this.taken.filter((slot) => slot.key === key && slot.until > now);
      if (held.length >= most) return new Date(Math.min(...held.map(({ until }) => until.getTime())));
      const slot = { key, until: new Date(now.getTime() + ms) };
      this.taken.push(slot);
      return {
        release: () =>
          this.stage.play('slot.release', () => void this.taken.splice(this.taken.indexOf(slot), 1)),
      };
    });
  }
}

export class FakeEmailCodes extends Fake implements EmailCodes {
  readonly stored: EmailCode[] = [];
  readonly #tries = new Map<string, number>();
  readonly #used = new Set<string>();
  add(code: Omit<EmailCode, 'id'>) {
    return this.stage.play('emailCodes.add', () => void this.stored.push({ ...code, id: recordId() }));
  }
  find(sig: string) {
    return this.stage.play('emailCodes.find', () => {
      const found = this.stored.find((code) => code.sig === sig);
      return found ? { ...found } : null;
    });
  }
  takeTry({ id }: EmailCode, most: number) {
    return this.stage.play('emailCodes.takeTry', () => {
      const tries = this.#tries.get(id) ?? 0;
      if (tries >= most) return null;
      this.#tries.set(id, tries + 1);
      return most - tries - 1;
    });
  }
  consume({ id }: EmailCode) {
    return this.stage.play('emailCodes.consume', () => {
      if (this.#used.has(id)) return false;
      this.#used.add(id);
      return true;
    });
  }
}

/** A mail server that accepts everything. To refuse a message permanently, let `mailer.send` fail with `MailRefused`. */
export class FakeMailer extends Fake implements Mailer {
  readonly sent: MailMessage[] = [];
  send(message: MailMessage) {
    return this.stage.play('mailer.send', () => void this.sent.push(message));
  }
}
