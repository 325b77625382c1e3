import type { Permission, Policy, Rule } from '../contract/policy.ts';
import { permissions } from '../contract/policy.ts';
import type { Lack, Organization, Role } from '../organizations/ports.ts';
import { obstacleTo } from '../policies/counts.ts';
import { NO_FACTS } from '../policies/facts.ts';
import type { WaitingPull } from './ports.ts';

/** The facts about a person in one organization that decide which pull requests wait for them. */
export type Standing = {
  githubId: number;
  login: string;
  /** Null for an outside collaborator. */
  role: Role | null;
  /** Their teams (`@org/team`), in lower case. */
  teams: ReadonlySet<string>;
  /** Undefined if they can't see the repository. */
  permissionIn(repoId: number): Permission | undefined;
};

export type Where = { org: Organization; policy: Policy };

/**
 * What of a pull request waits for this person: the lacks that their approval
 * would count for, by what is stored. Empty if they can't see the repository. It
 * only decides what they're shown: GitHub is asked again before each approval.
 */
export function lacksFor(pull: WaitingPull, standing: Standing, { org, policy }: Where): Lack[] {
  const permission = standing.permissionIn(pull.repoId);
  if (!permission) return [];
  // The members of a personal account are those who can write to the repository.
  if (org.accountType === 'User' && permissions.indexOf(permission) < permissions.indexOf('write')) return [];
  return pull.lacks.filter((lack) => {
    if ([...lack.counted, ...lack.excluded].includes(standing.githubId)) return false;
    if (lack.rule === '') return standing.role !== null;
    const rule = ruleOf(policy, lack);
    return rule !== undefined && counts(rule, { pull, standing, permission, org });
  });
}

/** Undefined if the policy was changed and the pull request isn't judged by the new one yet. */
export const ruleOf = ({ rules }: Policy, lack: Lack): Rule | undefined =>
  rules.find(({ name, enforced }) => enforced && name === lack.rule);

type About = { pull: WaitingPull; standing: Standing; permission: Permission; org: Organization };

/** By the rule itself, as if the approval were made as the rule asks. The caller knows already who is excluded. */
function counts(rule: Rule, { pull, standing, permission, org }: About): boolean {
  const { githubId, login, role, teams } = standing;
  const named = rule.require.from.filter((source) => teams.has(source.toLowerCase()));
  const person = { githubId, login, role, permission, isCollaborator: role === null, teams: named };
  const method = rule.require.methods?.[0] ?? 'passkey';
  const best = { method, deviceBound: true, aaguid: '', modelVerified: true, userVerified: true };
  const about = {
    pull: { repo: { owner: org.name, name: pull.repoName }, base: pull.base, author: null },
    facts: { ...NO_FACTS, people: [person] },
  };
  return obstacleTo(rule, { ...best, githubId, fromOutside: role === null }, about) === null;
}
