import type {
  Branches,
  Initiators,
  KnownGroup,
  MergeGroup,
  MergeGroups,
  Pushers,
  RuleSuites,
} from '../../../src/approvals/ports.ts';
import type {
  ReconcileReport,
  ReconcileReports,
  SentWebhook,
  SentWebhooks,
  UnheardChanges,
} from '../../../src/approvals/reconcile/ports.ts';
import type { Effects, Findings } from '../../../src/audit/ports.ts';
import type { RepositoryRef } from '../../../src/organizations/ports.ts';
import type { Contributor } from '../../../src/policies/details.ts';
import type { WebhookDeliveries } from '../../../src/shared/webhook.ts';
import { anAttempt } from './examples.ts';
import { addOnce, copyOf } from './rows.ts';
import { Fake, type Stage, TimedFake } from './stage.ts';

export class FakePushers extends Fake implements Pushers {
  readonly stored: Parameters<Pushers['add']>[0][] = [];
  async add(push: Parameters<Pushers['add']>[0]) {
    const isSame = (one: typeof push) =>
      one.repoId === push.repoId &&
      one.pr === push.pr &&
      one.head === push.head &&
      one.by?.id === push.by?.id;
    if (!this.stored.some(isSame)) this.stored.push(push);
  }
  async of(repoId: number, pr: number, head: string) {
    const ofHead = this.stored.filter((push) => push.repoId === repoId && push.head === head);
    return ofHead.filter((push) => push.pr === pr).map(({ by }) => by);
  }
}

export class FakeInitiators extends Fake implements Initiators {
  readonly stored: Parameters<Initiators['add']>[0][] = [];
  async add(seen: Parameters<Initiators['add']>[0]) {
    const isSame = ({ repoId, pr, person }: typeof seen) =>
      repoId === seen.repoId && pr === seen.pr && person.id === seen.person.id;
    if (!this.stored.some(isSame)) this.stored.push(seen);
  }
  async of(repoId: number, pr: number): Promise<(Contributor | null)[]> {
    return this.stored.filter((one) => one.repoId === repoId && one.pr === pr).map(({ person }) => person);
  }
}

export class FakeMergeGroups extends TimedFake implements MergeGroups {
  readonly stored: (KnownGroup & { finished: boolean })[] = [];
  #known = (repoId: number, head: string) =>
    this.stored.find((one) => one.repoId === repoId && one.head === head);
  async add(repo: RepositoryRef, group: MergeGroup, pullHead: string): Promise<KnownGroup> {
    const { repoId, head, baseSha, base, pr } = group;
    const added = { repoId, head, baseSha, base, pr, repo, pullHead, since: this.clock.now() };
    if (!this.#known(repoId, head)) this.stored.push({ ...added, verdict: 'waiting', finished: false });
    return { verdict: 'waiting', ...added, ...this.#known(repoId, head) };
  }
  async settle({ repoId, head }: MergeGroup, verdict: 'passed' | 'failed') {
    const known = this.#known(repoId, head);
    if (known && known.verdict !== 'failed') known.verdict = verdict;
  }
  async finish(repoId: number, head: string) {
    const known = this.#known(repoId, head);
    if (known) known.finished = true;
  }
  async find(repoId: number, head: string) {
    return copyOf(this.stored, (one) => one.repoId === repoId && one.head === head);
  }
  async unfinished(on?: { repoId: number; baseSha: string }) {
    return this.stored
      .filter(({ finished }) => !finished)
      .filter((one) => !on || (one.repoId === on.repoId && one.baseSha === on.baseSha))
      .map((one) => ({ ...one }));
  }
  async since(time: Date) {
    const found = this.stored.filter(({ since }) => since > time).reverse();
    return found.map((one) => ({ ...one }));
  }
}

/** The effects of each finding, once for each name. */
export class FakeFindings extends Fake implements Findings {
  readonly stored: { name: string; effects: Effects }[] = [];
  async add(name: string, effects: Effects) {
    return addOnce(this.stored, { name, effects }, (one) => one.name === name);
  }
}

/** Merges that went around rules, as GitHub shows them. */
export class FakeRuleSuites extends Fake implements RuleSuites {
  /** By the commit. */
  readonly rules = new Map<string, string[]>();
  async bypassed(_repo: RepositoryRef, { commit }: { commit: string }) {
    return this.rules.get(commit) ?? null;
  }
}

export class FakeUnheardChanges extends TimedFake implements UnheardChanges {
  readonly #noted = new Map<number, Date>();
  readonly #deliveries: FakeWebhookDeliveries;
  constructor(stage: Stage, deliveries: FakeWebhookDeliveries) {
    super(stage, deliveries.clock);
    this.#deliveries = deliveries;
  }
  async note(installation: number, ageMs: number) {
    if (!this.#unheard().some((one) => one.installation === installation))
      this.#noted.set(installation, new Date(this.clock.now().getTime() - ageMs));
  }
  async list(forMs: number) {
    const before = this.clock.now().getTime() - forMs;
    return this.#unheard().filter(({ at }) => +at < before);
  }
  #unheard() {
    return [...this.#noted]
      .map(([installation, at]) => ({ installation, at }))
      .filter(({ installation, at }) => (this.#deliveries.last.get(installation) ?? new Date(0)) < at);
  }
}

export class FakeBranches extends Fake implements Branches {
  readonly tips = new Map<string, string>();
  /** Commits of repositories whose tip has no check suite: GitHub shows them only to those who name them. */
  readonly unshown = new Map<string, string>();
  async tip({ name }: RepositoryRef, _branch: string, candidate?: string) {
    const hidden = this.unshown.get(name);
    return this.tips.get(name) ?? (hidden !== undefined && hidden === candidate ? hidden : null);
  }
}

/** GitHub's failed deliveries. A redelivery fails again, unless `arrive` is set. */
export class FakeSentWebhooks extends TimedFake implements SentWebhooks {
  readonly attempts: SentWebhook[] = [];
  readonly asked: string[] = [];
  /** Whether GitHub's list has all of them. */
  isWhole = true;
  /** Receives redeliveries; null if they fail. */
  arrive: ((attempt: SentWebhook) => Promise<unknown>) | null = null;
  async listFailed(from: Date) {
    const failed = this.attempts
      .filter(({ at }) => at >= from)
      .sort((one, other) => other.at.getTime() - one.at.getTime())
      .map((attempt) => ({ ...attempt }));
    return { failed, isWhole: this.isWhole };
  }
  async redeliver(id: string) {
    this.asked.push(id);
    const attempt = this.attempts.find((one) => one.id === id);
    if (!attempt) return;
    if (this.arrive) await this.arrive(attempt);
    else this.attempts.push({ ...attempt, id: `again-${this.asked.length}`, at: this.clock.now() });
  }
  /** An attempt that failed this many `minutes` ago. */
  fails(change: Partial<SentWebhook> & { minutes?: number } = {}): void {
    const { minutes = 1, ...attempt } = change;
    const at = new Date(this.clock.now().getTime() - minutes * 60_000);
    this.attempts.push(anAttempt({ id: String(this.attempts.length + 1), at, ...attempt }));
  }
}

export class FakeReconcileReports extends TimedFake implements ReconcileReports {
  readonly stored: { at: Date; report: ReconcileReport }[] = [];
  async latest() {
    return this.stored.at(-1) ?? null;
  }
  async save(report: ReconcileReport) {
    this.stored.push({ at: this.clock.now(), report });
  }
}

export class FakeWebhookDeliveries extends TimedFake implements WebhookDeliveries {
  readonly worked = new Map<string, string>();
  readonly last = new Map<number, Date>();
  async receive(guid: string, _event: string, installation: number) {
    this.last.set(installation, this.clock.now());
    return this.worked.has(guid);
  }
  async isProcessed(guid: string) {
    return this.worked.has(guid);
  }
  async markProcessed(guid: string, event: string, installation: number) {
    this.worked.set(guid, event);
    this.last.set(installation, this.clock.now());
  }
  async lastReceivedAt(installation = 0) {
    return this.last.get(installation) ?? null;
  }
}
