import type { Effects } from '../../../src/audit/ports.ts';
import type { BranchRule } from '../../../src/contract/protection.ts';
import type { NewNotice } from '../../../src/notices/ports.ts';
import type { Organization, OrganizationRef, RepositoryRef } from '../../../src/organizations/ports.ts';
import type {
  AccountProtection,
  Actor,
  KnownAccounts,
  NewWeakening,
  Protections,
  RepositoryProtection,
  StoredWeakening,
  Weakenings,
} from '../../../src/protection/ports.ts';
import { copyOf, fitsJson, takeName } from './rows.ts';
import { Fake } from './stage.ts';

/** Weakenings and strengthenings with their log entries, of one organization, which has no other entries. */
export class FakeWeakenings extends Fake implements Weakenings {
  readonly stored: (StoredWeakening & { org: Organization })[] = [];
  readonly logged: Effects['activity'][] = [];
  readonly queued: NewNotice[] = [];
  mailed = 0;
  readonly #names = new Set<string>();
  #newestFirst = (matches: (one: StoredWeakening) => boolean) =>
    this.stored
      .filter(matches)
      .map((one) => ({ ...one }))
      .reverse();
  async open(_org: string) {
    return this.#newestFirst(({ acknowledged }) => !acknowledged);
  }
  async promoted(_org: string) {
    return this.#newestFirst(({ acknowledged }) => !acknowledged).flatMap(({ person }) => person?.id ?? []);
  }
  async lasting(_org: string, repoId: number, about: string) {
    const isAbout = (one: StoredWeakening) => `${one.about}/`.startsWith(`${about}/`);
    return this.#newestFirst((one) => !one.undone && [null, repoId].includes(one.repoId) && isAbout(one));
  }
  async newest(_org: string) {
    return this.stored.at(-1)?.entry ?? 0;
  }
  async find(_org: string, entry: number) {
    return copyOf(this.stored, (one) => one.entry === entry);
  }
  async add(org: Organization, weakening: NewWeakening, logged: { name: string; effects: Effects }) {
    if (!takeName(this.#names, logged.name)) return false;
    const entry = this.logged.push(logged.effects.activity);
    const leafHash = Buffer.alloc(32, entry).toString('base64');
    this.stored.push({
      ...weakening,
      org,
      entry,
      leafHash,
      undone: weakening.undone ?? null,
      acknowledged: null,
      acknowledgedBy: '',
    });
    return true;
  }
  async setBy(_org: Organization, entry: number, by: Actor) {
    for (const one of this.stored) if (one.entry === entry) one.by = by;
  }
  async addStrengthening(
    _org: Organization,
    { undone, at }: { undone: number[]; at: Date },
    { name, effects }: { name: string; effects: Effects },
  ) {
    if (!takeName(this.#names, name)) return false;
    this.logged.push(effects.activity);
    for (const one of this.stored) if (undone.includes(one.entry)) one.undone = at;
    return true;
  }
  async acknowledge(
    _org: Organization,
    entry: number,
    { at, by }: { at: Date; by: Actor },
    effects: Effects,
  ) {
    const found = this.stored.find((one) => one.entry === entry);
    if (!found || found.acknowledged) return false;
    found.acknowledged = at;
    found.acknowledgedBy = by.login;
    this.logged.push(effects.activity);
    return true;
  }
  async unmailed({ since, until }: { since: Date; until: Date }) {
    const found = this.stored.find(
      ({ entry, at, change }) =>
        entry > this.mailed && at >= since && (at <= until || change.kind === 'appRemoved'),
    );
    return found ? [found.org] : [];
  }
  async mail(_org: Organization, compose: (weakenings: StoredWeakening[]) => NewNotice[]) {
    const found = this.#newestFirst(({ entry }) => entry > this.mailed);
    this.mailed = found[0]?.entry ?? this.mailed;
    this.queued.push(...compose(found));
    return found.length > 0;
  }
}

export class FakeKnownAccounts extends Fake implements KnownAccounts {
  readonly known = new Map<string, AccountProtection>();
  async get(id: string) {
    return structuredClone(this.known.get(id) ?? null);
  }
  async save(id: string, known: AccountProtection) {
    const fits = fitsJson(known);
    if (fits) this.known.set(id, structuredClone(known));
    return fits;
  }
}

/** A ruleset that requires the check from our App and a pull request, and that nobody may go around. */
export const aRule = (change: Partial<BranchRule> = {}): BranchRule => ({
  ...{ state: 'active', source: 'repositoryRuleset', id: 1, name: 'OTP Guard', isOurs: true },
  ...{ needsPull: true, bypass: [], updated: null, url: 'https://github.com/octo-org/hello/rules/1' },
  ...change,
});

const UNPROTECTED: RepositoryProtection = {
  ...{ defaultBranch: 'main', rulesets: [], branchProtection: [], deployKeys: [] },
};

/** GitHub's answers about protection: of an organization that octocat owns, without a rule. */
export class FakeProtections extends Fake implements Protections {
  /** By the repository's name. */
  readonly repositories = new Map<string, Partial<RepositoryProtection>>();
  accountNow: AccountProtection = {
    owners: [{ id: 12, login: 'octocat' }],
    ...{ permissions: { checks: 'write' }, repositorySelection: 'all', repositories: null },
    ...{ isSuspended: false, isRemoved: false },
  };
  async repository(
    { name }: RepositoryRef,
    defaultBranch: string,
    _known?: RepositoryProtection | null,
    canGate = false,
  ) {
    const { environments, ...now } = this.repositories.get(name) ?? {};
    return structuredClone({ ...UNPROTECTED, defaultBranch, ...now, ...(canGate && { environments }) });
  }
  async account(_org: OrganizationRef) {
    return structuredClone(this.accountNow);
  }
}

/** A ruleset of `hello` that octocat disabled, with its log entry. */
export function aWeakening(
  org: Organization,
  change: Partial<NewWeakening> = {},
  name = 'weakening',
): [NewWeakening, { name: string; effects: Effects }] {
  return [
    {
      repoId: 42,
      change: {
        ...{ kind: 'ruleNotActive', isWeaker: true, repo: 'hello', subject: 'OTP Guard' },
        ...{ before: 'requires the check', after: "isn't enforced" },
      },
      about: 'rule/ruleset:1',
      ...{ person: null, by: { id: 12, login: 'octocat' }, at: new Date('2026-05-04T12:00:00Z') },
      ...change,
    },
    {
      name,
      effects: {
        activity: { activity: 'protectionWeakened', userId: '', orgRecordId: org.id, data: {} },
        notices: [],
      },
    },
  ];
}
