import type {
  Mailer,
  MailMessage,
  MailPart,
  Notice,
  NoticeData,
  NoticeKind,
  Notices,
} from '../../../src/notices/ports.ts';
import type { EmailCode, EmailCodes } from '../../../src/people/ports.ts';
import type { Quota } from '../../../src/shared/limits.ts';
import { copyOf, takeName, takeOut } from './rows.ts';
import { Fake, recordId } from './stage.ts';

/** Messages that are still to be sent. */
export class FakeNotices extends Fake implements Notices {
  readonly stored: Notice[] = [];
  readonly #claimed = new Set<string>();
  async due(now: Date, most: number) {
    return this.stored
      .filter(({ due }) => due <= now)
      .sort((one, other) => one.due.getTime() - other.due.getTime())
      .slice(0, most)
      .map((notice) => ({ ...notice }));
  }
  async claim({ id, tries }: Notice) {
    return takeName(this.#claimed, `${id}:${tries}`);
  }
  async retry({ id, tries }: Notice, due: Date) {
    const notice = this.stored.find((one) => one.id === id);
    if (notice) Object.assign(notice, { tries: tries + 1, due });
  }
  async done({ id }: Notice) {
    takeOut(this.stored, id);
  }
  async count() {
    return this.stored.length;
  }
  async add(notice: { kind: NoticeKind; data: NoticeData; userId: string }, due: Date) {
    return this.put({ ...notice, due });
  }
  /** Adds a message that was queued before. */
  put(notice: Pick<Notice, 'kind' | 'due'> & Partial<Notice>): void {
    this.stored.push({ id: recordId(), data: {}, userId: '', to: '', tries: 0, ...notice });
  }
}

export class FakeQuota extends Fake implements Quota {
  readonly taken: { key: string; until: Date }[] = [];
  async take(key: string, { most, ms }: { most: number; ms: number }, now: Date) {
    const held = this.taken.filter((slot) => slot.key === key && slot.until > now);
    if (held.length >= most) return new Date(Math.min(...held.map(({ until }) => until.getTime())));
    const slot = { key, until: new Date(now.getTime() + ms) };
    this.taken.push(slot);
    return {
      release: () =>
        this.stage.play('slot.release', () => void this.taken.splice(this.taken.indexOf(slot), 1)),
    };
  }
}

export class FakeEmailCodes extends Fake implements EmailCodes {
  readonly stored: EmailCode[] = [];
  readonly #tries = new Map<string, number>();
  readonly #used = new Set<string>();
  async add(code: Omit<EmailCode, 'id'>) {
    this.stored.push({ ...code, id: recordId() });
  }
  async find(sig: string) {
    return copyOf(this.stored, (code) => code.sig === sig);
  }
  async takeTry({ id }: EmailCode, most: number) {
    const tries = this.#tries.get(id) ?? 0;
    if (tries >= most) return null;
    this.#tries.set(id, tries + 1);
    return most - tries - 1;
  }
  async consume({ id }: EmailCode) {
    return takeName(this.#used, id);
  }
}

/** The words of a part, without its address. */
export function wordsOf(part: MailPart): string {
  if (typeof part === 'string') return part;
  return 'note' in part ? `${part.text}\n\n${part.note}` : part.text;
}

/** A mail server that accepts everything. To refuse a message permanently, let `mailer.send` fail with `MailRefused`. */
export class FakeMailer extends Fake implements Mailer {
  readonly sent: MailMessage[] = [];
  async send(message: MailMessage) {
    this.sent.push(message);
  }
  /** The words of the newest message. */
  newest = () => (this.sent.at(-1)?.parts ?? []).map(wordsOf).join('\n\n');
}
