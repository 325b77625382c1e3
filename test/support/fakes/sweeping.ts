import type {
  Alarms,
  Branches,
  HookDeliveries,
  HookDelivery,
  JudgedGroup,
  MergeGroups,
  RepositoryRef,
  SweepReport,
  Sweeps,
  UnapprovedMerge,
} from '../../../src/approvals/ports.ts';
import type { CheckRequirement } from '../../../src/contract/organization.ts';
import type { Deliveries } from '../../../src/webhook.ts';
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

/** The log of merges that nobody approved; a pull request is in it once. */
export class FakeAlarms extends Fake implements Alarms {
  readonly raised: UnapprovedMerge[] = [];
  raise(merge: UnapprovedMerge) {
    return this.stage.play('alarms.raise', () => {
      const isKnown = this.raised.some(({ repoId, pr }) => repoId === merge.repoId && pr === merge.pr);
      if (!isKnown) this.raised.push(merge);
    });
  }
}

export class FakeBranches extends Fake implements Branches {
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

/** GitHub's list of what we did not take. A delivery that it is asked for fails once more, unless it arrives. */
export class FakeHookDeliveries extends TimedFake implements HookDeliveries {
  readonly attempts: HookDelivery[] = [];
  readonly asked: number[] = [];
  /** What happens with a delivery that arrives; null where none does. */
  arrive: ((attempt: HookDelivery) => Promise<unknown>) | null = null;
  failed(from: Date) {
    return this.stage.play('hookDeliveries.failed', () =>
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

export class FakeSweeps extends TimedFake implements Sweeps {
  readonly stored: { at: Date; report: SweepReport }[] = [];
  latest() {
    return this.stage.play('sweeps.latest', () => this.stored.at(-1) ?? null);
  }
  save(report: SweepReport) {
    return this.stage.play('sweeps.save', () => void this.stored.push({ at: this.clock.now(), report }));
  }
}

export class FakeDeliveries extends TimedFake implements Deliveries {
  readonly worked = new Map<string, string>();
  readonly #last = new Map<number, Date>();
  isDone(guid: string) {
    return this.stage.play('deliveries.isDone', () => this.worked.has(guid));
  }
  done(guid: string, event: string, installation: number) {
    return this.stage.play('deliveries.done', () => {
      this.worked.set(guid, event);
      this.#last.set(installation, this.clock.now());
    });
  }
  last(installation: number) {
    return this.stage.play('deliveries.last', () => this.#last.get(installation) ?? null);
  }
}
