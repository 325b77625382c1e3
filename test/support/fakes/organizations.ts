import { randomBytes } from 'node:crypto';
import type { RepositoryAccess } from '../../../src/approvals/ports.ts';
import type { Effects } from '../../../src/audit/ports.ts';
import type { Permission } from '../../../src/contract/accounts.ts';
import type { SecurityImage } from '../../../src/contract/image.ts';
import type { MemberState } from '../../../src/contract/organization.ts';
import type { Contact, NewNotice } from '../../../src/notices/ports.ts';
import type {
  Installation,
  Member,
  Members,
  Memberships,
  Organization,
  OrganizationRef,
  Organizations,
  RepositoryRef,
  Role,
  UserInstallations,
} from '../../../src/organizations/ports.ts';
import type { GitHubUser, Session, Sessions, Users, UserTokens } from '../../../src/people/ports.ts';
import { gateOf } from '../../../src/protection/environments.ts';
import type { RepositoryCheck, RepositoryChecks, WatchedRepository } from '../../../src/protection/ports.ts';
import { copyOf, fitsJson } from './rows.ts';
import { Fake, recordId, type Stage, TimedFake } from './stage.ts';

export class FakeOrganizations extends Fake implements Organizations {
  readonly stored: Organization[] = [];
  async byId(id: string) {
    return copyOf(this.stored, (one) => one.id === id);
  }
  async byOrgId(orgId: number) {
    return copyOf(this.stored, (one) => one.orgId === orgId);
  }
  async byInstallation(installationId: number) {
    return copyOf(this.stored, (one) => one.installationId === installationId);
  }
  async byName(name: string) {
    return copyOf(this.stored, (one) => one.name.toLowerCase() === name.toLowerCase());
  }
  async all() {
    return [...this.stored];
  }
  async save({ id, account, suspended }: Installation) {
    const known = this.stored.find(({ orgId }) => orgId === account.id);
    const organization = {
      id: known?.id ?? recordId(),
      orgId: account.id,
      name: account.login,
      installationId: id,
      accountType: account.type,
      suspended,
      htmlUrl: account.htmlUrl,
      membersAt: known?.membersAt ?? null,
    };
    if (known) Object.assign(known, organization);
    else this.stored.push(organization);
    return { ...organization };
  }
  async removed(installationId: number) {
    for (const one of this.stored) if (one.installationId === installationId) one.installationId = 0;
  }
  async setImage() {}
}

/**
 * Who belongs to an account and who may read its repositories, by GitHub id. Like
 * GitHub, it says no if the account's or the person's name is out of date.
 */
export class FakeMembers extends Fake implements Members, RepositoryAccess {
  readonly roles = new Map<string, Role>();
  readonly readers = new Set<number>();
  readonly writers = new Set<number>();
  /** The current names on GitHub, if a test changes them. */
  readonly orgNames = new Map<number, string>();
  readonly logins = new Map<number, string>();
  /** Null if GitHub shows no members to the installation. */
  lists: Map<number, Member[]> | null = new Map();
  set(orgId: number, githubId: number, role: Role): void {
    this.roles.set(`${orgId}:${githubId}`, role);
    this.readers.add(githubId);
  }
  async role(org: OrganizationRef, person: { githubId: number; login: string }) {
    const hasCurrentNames =
      (this.orgNames.get(org.orgId) ?? org.name) === org.name &&
      (this.logins.get(person.githubId) ?? person.login) === person.login;
    return hasCurrentNames ? (this.roles.get(`${org.orgId}:${person.githubId}`) ?? null) : null;
  }
  expected = true;
  isExpected() {
    return this.expected;
  }
  async list({ orgId }: OrganizationRef) {
    return this.lists && (this.lists.get(orgId) ?? []);
  }
  async loginOf(_org: OrganizationRef, githubId: number) {
    return this.logins.get(githubId) ?? null;
  }
  /** GitHub's words for those who don't just read or write. */
  readonly permissions = new Map<number, Permission>();
  readonly collaborators = new Set<number>();
  async permission(_repo: RepositoryRef, { githubId }: { githubId: number }) {
    return (
      this.permissions.get(githubId) ??
      (this.writers.has(githubId) ? 'write' : this.readers.has(githubId) ? 'read' : 'none')
    );
  }
  async isCollaborator(_repo: RepositoryRef, { githubId }: { githubId: number }) {
    return this.collaborators.has(githubId);
  }
}

type StoredMember = Member & { org: string; userId: string; enrolled: boolean };

/** Memberships as the record store has them; everybody in `users` has signed in here. */
export class FakeMemberships extends Fake implements Memberships {
  readonly stored: StoredMember[] = [];
  /** Record ids by GitHub id. */
  readonly users = new Map<number, string>();
  readonly #organizations: FakeOrganizations;
  constructor(stage: Stage, organizations: FakeOrganizations) {
    super(stage);
    this.#organizations = organizations;
  }
  /** Adds a membership that was stored before. */
  put(org: Organization, member: Member, options: { userId?: string; enrolled?: boolean } = {}): void {
    const { userId = '', enrolled = false } = options;
    this.stored.push({ ...member, org: org.id, userId, enrolled });
  }
  async of(userId: string) {
    return this.stored
      .filter((member) => member.userId === userId)
      .flatMap(({ org: id, role }) => {
        const org = copyOf(this.#organizations.stored, (one) => one.id === id);
        return org ? [{ org, role }] : [];
      });
  }
  async save(org: Organization, member: { githubId: number; login: string }, role: Role | null) {
    const { githubId, login } = member;
    const at = this.stored.findIndex((one) => one.org === org.id && one.githubId === githubId);
    if (role) this.#put(org, { githubId, login, role });
    else if (at >= 0) this.stored.splice(at, 1);
  }
  #put(org: Organization, { githubId, login, role }: Member): void {
    const known = this.stored.find((one) => one.org === org.id && one.githubId === githubId);
    if (known) Object.assign(known, { login, role });
    else this.put(org, { githubId, login, role }, { userId: this.users.get(githubId) ?? '' });
  }
  async saveOfPerson({ userId, githubId, login }: Session, memberships: { org: Organization; role: Role }[]) {
    for (const one of this.stored) if (one.githubId === githubId) one.userId = userId;
    this.users.set(githubId, userId);
    for (const { org, role } of memberships) this.#put(org, { githubId, login, role });
  }
  /** Record ids of owners who confirmed an address. */
  notified: string[] = [];
  async ownersToNotify(_orgRecordId: string) {
    return [...this.notified];
  }
  async replace(org: Organization, members: Member[], at: Date) {
    const before = this.stored.splice(0);
    this.stored.push(...before.filter((one) => one.org !== org.id));
    for (const member of members) {
      const known = before.find((one) => one.org === org.id && one.githubId === member.githubId);
      this.put(org, member, known ?? { userId: this.users.get(member.githubId) ?? '' });
    }
    const kept = this.#organizations.stored.find(({ id }) => id === org.id);
    if (kept) kept.membersAt = at;
  }
  async count(orgRecordId: string) {
    const members = this.stored.filter(({ org }) => org === orgRecordId);
    const enrolled = members.filter((member) => member.enrolled).length;
    const unreachable = members.length - enrolled;
    return { total: members.length, enrolled, one: enrolled, pending: 0, reachable: 0, unreachable };
  }
  async list(orgRecordId: string, page: { state: MemberState; search: string; after: string; most: number }) {
    const { state, search, after, most } = page;
    const found = this.stored
      .filter(({ org, login }) => org === orgRecordId && login.includes(search))
      .filter(({ enrolled }) => state !== 'missing' || !enrolled)
      .sort((one, other) => (one.login < other.login ? -1 : 1));
    const members = found.filter(({ login }) => login > after).slice(0, most);
    return { total: found.length, members: members.map((member) => this.#standing(member)) };
  }
  #standing({ githubId: id, login, role, enrolled, userId }: StoredMember) {
    return {
      id,
      login,
      role,
      enrolled,
      authenticators: Number(enrolled),
      kinds: { passkey: Number(enrolled), securityKey: 0, totp: 0 },
      pending: false,
      lastApproval: null,
      hasAddress: false,
      reminded: null,
      address: '',
      signedIn: userId !== '',
    };
  }
  async find(orgRecordId: string, githubId: number) {
    const found = this.stored.find((one) => one.org === orgRecordId && one.githubId === githubId);
    return found ? { login: found.login, userId: found.userId } : null;
  }
  async byLogin(orgRecordId: string, login: string) {
    const found = this.stored.find((one) => one.org === orgRecordId && one.login === login);
    return found?.userId ? { userId: found.userId, githubId: found.githubId, login } : null;
  }
}

type StoredCheck = RepositoryCheck & Pick<WatchedRepository, 'known' | 'noted'> & { org: string; due: Date };
type CheckedRepository = Parameters<RepositoryChecks['put']>[1];

/** The findings in repositories. It searches no names, and all belong to organizations with the App. */
export class FakeRepositoryChecks extends TimedFake implements RepositoryChecks {
  stored: StoredCheck[] = [];
  /** The permissions that every account granted. */
  granted: Record<string, string> | null = null;
  readonly organizations = new Map<string, { installation: number; owner: string }>();
  async sync(org: string, repositories: CheckedRepository[]) {
    const ids = repositories.map(({ id }) => id);
    const own = this.stored.filter((one) => one.org === org);
    await this.remove(own.map(({ id }) => id).filter((id) => !ids.includes(id)));
    for (const repository of repositories) await this.put(org, repository);
  }
  readonly #gone: StoredCheck[] = [];
  async put(org: string, repository: CheckedRepository) {
    const here = this.stored.find(({ id }) => id === repository.id);
    const known = here ?? this.#gone.findLast(({ id }) => id === repository.id);
    if (here?.defaultBranch === repository.defaultBranch) return;
    const none = { bypass: null, environments: null, checked: null };
    const unknown = { required: 'unknown', ...none, due: this.clock.now() } as const;
    const before = { known: known?.known ?? null, noted: null };
    this.stored = [
      ...this.stored.filter((one) => one !== here),
      { ...repository, ...unknown, ...before, org },
    ];
  }
  async remove(ids: number[]) {
    this.#gone.push(...this.stored.filter(({ id }) => ids.includes(id)));
    this.stored = this.stored.filter(({ id }) => !ids.includes(id));
  }
  async due(now: Date, { most, except = [], only }: { most: number; except?: string[]; only?: string }) {
    return this.stored
      .filter(({ org, due }) => due <= now && !except.includes(org) && (only ?? org) === org)
      .slice(0, most)
      .map((one) => {
        const { id, name, orgRecordId, installation, owner } = this.#watched(one);
        return { id, name, orgRecordId, installation, owner };
      });
  }
  async get(repoId: number) {
    const found = this.stored.find(({ id }) => id === repoId);
    return found ? this.#watched(found) : null;
  }
  #watched({ org: orgRecordId, id, name, defaultBranch, known, noted }: StoredCheck): WatchedRepository {
    const { installation = 5, owner = 'octo-org' } = this.organizations.get(orgRecordId) ?? {};
    const { granted: permissions } = this;
    return { id, name, defaultBranch, known, noted, orgRecordId, installation, owner, permissions };
  }
  async save(
    { id, orgRecordId }: { id: number; orgRecordId: string },
    { at, ...found }: Parameters<RepositoryChecks['save']>[1],
  ) {
    const isTheirs = this.stored.some((one) => one.id === id && one.org === orgRecordId);
    const fits = fitsJson(found.known);
    if (isTheirs && fits) this.#change(id, { ...found, noted: null, checked: at });
    return fits;
  }
  async postpone(repoId: number, due: Date) {
    this.#change(repoId, { due });
  }
  async markDue(which: Parameters<RepositoryChecks['markDue']>[0]) {
    for (const { id, checked } of this.stored)
      if ('repoId' in which ? which.repoId === id : checked && checked < which.checkedBefore)
        this.#change(id, { due: this.clock.now(), ...(which.noted && { noted: which.noted }) });
  }
  async counts(_org: string) {
    const unchecked = this.stored.filter(({ checked }) => !checked).length;
    const total = this.stored.length;
    return {
      total,
      protected: total - unchecked,
      anySource: 0,
      notEnforced: 0,
      unknown: unchecked,
      unchecked,
      bypass: { nobody: 0, said: 0, some: 0, unknown: total - unchecked },
    };
  }
  async gates(_org: string) {
    const count = (...states: string[]) =>
      this.stored.filter(({ environments }) => states.includes(gateOf(environments))).length;
    return {
      gated: count('open', 'closed', 'unsure'),
      open: count('open'),
      unknown: count('unsure', 'unknown'),
    };
  }
  async gated() {
    const found = this.stored.filter(({ environments }) =>
      ['open', 'closed', 'unsure'].includes(gateOf(environments)),
    );
    return found.map((one) => ({ ...this.#watched(one), orgId: 9 }));
  }
  async list(_org: string, { after, most }: { after: string; most: number }) {
    const repositories = this.stored.filter(({ name }) => name > after).slice(0, most);
    return { matches: this.stored.length, repositories };
  }
  #change(repoId: number, change: Partial<StoredCheck>): void {
    const known = this.stored.find(({ id }) => id === repoId);
    if (known) Object.assign(known, change);
  }
}

export class FakeSessions extends Fake implements Sessions {
  readonly open = new Map<string, Session>();
  async begin(userId: string) {
    const token = `token-${randomBytes(8).toString('hex')}`;
    this.open.set(token, { userId, githubId: 1, login: userId });
    return token;
  }
  async read(token: string) {
    return this.open.get(token) ?? null;
  }
  /** The effects stored with an end of sessions. */
  readonly effects: Effects[] = [];
  async endAll(userId: string, effects?: Effects) {
    if (effects) this.effects.push(effects);
    for (const [token, session] of this.open) if (session.userId === userId) this.open.delete(token);
  }
}

/** GitHub's answers about user tokens; it refuses a token that isn't here. */
export class FakeUserTokens extends Fake implements UserTokens, UserInstallations {
  readonly owners = new Map<string, GitHubUser>();
  visible: Installation[] = [];
  active: { orgId: number; role: Role }[] = [];
  async check(token: string) {
    return this.owners.get(token) ?? null;
  }
  async installations(_token: string) {
    return this.visible;
  }
  /** The repositories that each token's person was given access to. */
  readonly shown = new Map<string, Map<number, Permission>>();
  async repositories(token: string, _installation: number) {
    return new Map(this.shown.get(token));
  }
  async memberships(_token: string) {
    return this.active;
  }
}

export class FakeUsers extends Fake implements Users {
  readonly profiles = new Map<string, GitHubUser>();
  readonly unlinked: { userId: string; githubId: number }[] = [];
  readonly contacts = new Map<string, Contact>();
  /** The notices that came with a new address. */
  readonly notices: NewNotice[] = [];
  async githubIdOf(userId: string) {
    return this.profiles.get(userId)?.id ?? 0;
  }
  async saveProfile(userId: string, user: GitHubUser) {
    this.profiles.set(userId, user);
  }
  async setImage(userId: string, image: SecurityImage) {
    Object.assign(this.#contact(userId), { image });
  }
  async setAddress(userId: string, address: string, notices: NewNotice[]) {
    this.#contact(userId).address = address;
    this.notices.push(...notices);
  }
  async userIdOf(githubId: number) {
    const found = [...this.profiles].find(([, { id }]) => id === githubId);
    return found?.[0] ?? null;
  }
  async avatars(githubIds: number[]) {
    const found = [...this.profiles.values()].filter(({ id }) => githubIds.includes(id));
    return new Map(found.map(({ id, avatarUrl }) => [id, avatarUrl]));
  }
  async contact(userId: string) {
    return structuredClone(this.contacts.get(userId) ?? null);
  }
  async unlink(userId: string, githubId: number) {
    this.unlinked.push({ userId, githubId });
  }
  #contact(userId: string): Contact {
    const contact = this.contacts.get(userId) ?? { login: userId, address: '', image: null };
    this.contacts.set(userId, contact);
    return contact;
  }
}
