import type {
  Branches,
  HookDeliveries,
  HookDelivery,
  JudgedGroup,
  MergeGroups,
  ReconcileReport,
  ReconcileReports,
  UnapprovedMerges,
} from '../../../src/approvals/ports.ts';
import type { Effects } from '../../../src/audit/ports.ts';
import type { CheckRequirement } from '../../../src/contract/organization-health.ts';
import type { RepositoryRef, RequiredChecks } from '../../../src/organizations/ports.ts';
import type { WebhookDeliveries } from '../../../src/webhook.ts';
import { anAttempt } from './examples.ts';
import { Fake, TimedFake } from './stage.ts';

export class FakeMergeGroups extends Fake implements MergeGroups {
  readonly stored: JudgedGroup[] = [];
  save(group: JudgedGroup) {
    return this.stage.play('mergeGroups.save', () => {
      const known = this.stored.find(({ repoId, head }) => repoId === group.repoId && head === group.head);
      if (known && !group.passed) Object.assign(known, group);
      if (known) return;
      this.stored.push(group);
    });
  }
  find(repoId: number, head: string) {
    return this.stage.play('mergeGroups.find', () => {
      const found = this.stored.find((one) => one.repoId === repoId && one.head === head);
      return found ? { ...found } : null;
    });
  }
}

/** Effects of unapproved merges, once for each pull request. */
export class FakeUnapprovedMerges extends Fake implements UnapprovedMerges {
  readonly stored: { repoId: number; pr: number; effects: Effects }[] = [];
  add({ repoId, pr }: { repoId: number; pr: number }, effects: Effects) {
    return this.stage.play('unapprovedMerges.add', () => {
      if (!this.stored.some((one) => one.repoId === repoId && one.pr === pr)) {
        this.stored.push({ repoId, pr, effects });
      }
    });
  }
}

export class FakeBranches extends Fake implements Branches, RequiredChecks {
  /** By the repository's name. */
  readonly requirements = new Map<string, CheckRequirement>();
  readonly tips = new Map<string, string>();
  requirement({ name }: RepositoryRef, _branch: string) {
    return this.stage.play('branches.requirement', () => this.requirements.get(name) ?? 'no');
  }
  tip({ name }: RepositoryRef, _branch: string) {
    return this.stage.play('branches.tip', () => this.tips.get(name) ?? null);
  }
}

/** GitHub's failed deliveries. A redelivery fails again, unless `arrive` is set. */
export class FakeHookDeliveries extends TimedFake implements HookDeliveries {
  readonly attempts: HookDelivery[] = [];
  readonly asked: number[] = [];
  /** Receives redeliveries; null if they fail. */
  arrive: ((attempt: HookDelivery) => Promise<unknown>) | null = null;
  listFailed(from: Date) {
    return this.stage.play('hookDeliveries.listFailed', () =>
      this.attempts
        .filter(({ at }) => at >= from)
        .sort((one, other) => other.at.getTime() - one.at.getTime())
        .map((attempt) => ({ ...attempt })),
    );
  }
  async redeliver(id: number) {
    const attempt = await this.stage.play('hookDeliveries.redeliver', () => {
      this.asked.push(id);
      return this.attempts.find((one) => one.id === id);
    });
    if (!attempt) return;
    if (this.arrive) await this.arrive(attempt);
    else this.attempts.push({ ...attempt, id: 1_000_000 + this.asked.length, at: this.clock.now() });
  }
  /** An attempt that failed so many `minutes` ago. */
  fails(change: Partial<HookDelivery> & { minutes?: number } = {}): void {
    const { minutes = 1, ...attempt } = change;
    const at = new Date(this.clock.now().getTime() - minutes * 60_000);
    this.attempts.push(anAttempt({ id: this.attempts.length + 1, at, ...attempt }));
  }
}

export class FakeReconcileReports extends TimedFake implements ReconcileReports {
  readonly stored: { at: Date; report: ReconcileReport }[] = [];
  latest() {
    return this.stage.play('reconcileReports.latest', () => this.stored.at(-1) ?? null);
  }
  save(report: ReconcileReport) {
    return this.stage.play(
      'reconcileReports.save',
      () => void this.stored.push({ at: this.clock.now(), report }),
    );
  }
}

export class FakeWebhookDeliveries extends TimedFake implements WebhookDeliveries {
  readonly worked = new Map<string, string>();
  readonly #last = new Map<number, Date>();
  isProcessed(guid: string) {
    return this.stage.play('deliveries.isProcessed', () => this.worked.has(guid));
  }
  markProcessed(guid: string, event: string, installation: number) {
    return this.stage.play('deliveries.markProcessed', () => {
      this.worked.set(guid, event);
      this.#last.set(installation, this.clock.now());
    });
  }
  lastProcessedAt(installation: number) {
    return this.stage.play('deliveries.lastProcessedAt', () => this.#last.get(installation) ?? null);
  }
}
