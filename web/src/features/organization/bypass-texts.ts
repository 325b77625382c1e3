import type { CheckedRepository } from '../../../../src/contract/organization-health.ts';
import type { Bypass, BypassActor, BypassMode } from '../../../../src/contract/protection.ts';

/** An actor that may merge without the check, and where. */
export type Around = Pick<BypassActor, 'type' | 'name' | 'mode'> & {
  /** The logins of a group's people; null if we don't know all of them. */
  people: string[] | null;
  repositories: Pick<CheckedRepository, 'name' | 'defaultBranch'>[];
  /** The first repository's. */
  bypass: Bypass;
};

/** Everybody who may merge without the check in these repositories, each once, in most repositories first. */
export function aroundIn(
  repositories: Pick<CheckedRepository, 'name' | 'defaultBranch' | 'bypass'>[],
): Around[] {
  const found = new Map<string, Around>();
  for (const { name: repository, defaultBranch, bypass } of repositories) {
    for (const { type, id, name, mode, people } of bypass?.actors ?? []) {
      if (!bypass) continue;
      const key = JSON.stringify([type, id, name, mode]);
      const logins = people && people.total <= people.logins.length ? people.logins : null;
      const known = found.get(key);
      const all = known ? known.people && logins && [...new Set([...known.people, ...logins])] : logins;
      const where = [...(known?.repositories ?? []), { name: repository, defaultBranch }];
      found.set(key, {
        type,
        name,
        mode,
        people: all,
        repositories: where,
        bypass: known?.bypass ?? bypass,
      });
    }
  }
  return [...found.values()].sort((one, other) => other.repositories.length - one.repositories.length);
}

type Who = Pick<Around, 'type' | 'people'>;

const NOUNS: Record<BypassActor['type'], [one: string, many: string]> = {
  administrators: ['administrator', 'administrators'],
  owners: ['owner', 'owners'],
  role: ['role', 'roles'],
  team: ['team', 'teams'],
  app: ['App', 'Apps'],
  deployKeys: ['deploy key', 'deploy keys'],
  person: ['person', 'people'],
  other: ['other', 'others'],
  pushers: ['everybody who can push', 'everybody who can push'],
};
const GROUPS: BypassActor['type'][] = ['administrators', 'owners', 'deployKeys', 'pushers'];

/**
 * The numbers of people by kind, without names, and of at most two kinds: `3 administrators and 1 team`. A group whose
 * people are all in another group isn't counted again.
 */
export function whoInShort(everyone: Who[]): string {
  const sizeOf = ({ people }: Who) => people?.length ?? 0;
  const largestFirst = [...everyone].sort((one, other) => sizeOf(other) - sizeOf(one));
  const isIn = (who: Who, { people }: Who) => who.people?.every((login) => people?.includes(login));
  const all = everyone.filter((who) => {
    const larger = largestFirst.slice(0, largestFirst.indexOf(who));
    return sizeOf(who) === 0 || !larger.some((other) => isIn(who, other));
  });
  const types = [...new Set(all.map(({ type }) => type))];
  const parts = types.map((type) => {
    const [one, many] = NOUNS[type];
    const some = all.filter((who) => who.type === type);
    if (!GROUPS.includes(type)) return `${some.length} ${some.length === 1 ? one : many}`;
    const logins = some.flatMap(({ people }) => people ?? []);
    if (some.some(({ people }) => !people)) return many;
    const count = new Set(logins).size;
    return `${count} ${count === 1 ? one : many}`;
  });
  return listed(parts.length > 2 ? [...parts.slice(0, 1), 'others'] : parts);
}

/** The word before the name of an actor; a group that GitHub doesn't name has none. */
export const WHO: Record<BypassActor['type'], string> = {
  administrators: 'Administrators of the repository',
  owners: 'Owners of the organization',
  role: 'Everybody with the role',
  team: 'The team',
  app: 'The App',
  deployKeys: 'Deploy keys',
  person: '',
  other: '',
  pushers: 'Everybody who can push a commit whose check passed for another branch',
};

/** Tells whether the actor has a name of its own, which a person chose. */
export const hasOwnName = (type: BypassActor['type']) => !GROUPS.includes(type);

export const HOW: Record<BypassMode, string> = {
  always: 'at any time',
  pullRequest: 'by merging a pull request',
  exempt: "at any time, and GitHub's audit log has no entry for it",
};

/** The kind of a rule of GitHub. Reads on with its name, in quotes. */
export const SOURCES: Record<Bypass['rules'][number]['source'], string> = {
  branchProtection: 'branch protection',
  repositoryRuleset: "the repository's ruleset",
  organizationRuleset: "the organization's ruleset",
};

/** A sentence that says how OTP Guard could see who may bypass. */
export const LET_SEE =
  'For branch protection, grant the App “Administration: read”. For rulesets, an owner reads the list and pastes it here.';

export const listed = (parts: string[], type: Intl.ListFormatType = 'conjunction') =>
  new Intl.ListFormat('en', { type }).format(parts);
