import type {
  RepositoryEnvironment,
  RepositoryEnvironments,
} from '../../../src/contract/organization-health.ts';
import type { BranchRule, BypassActor } from '../../../src/contract/protection.ts';
import type { AccountProtection, RepositoryProtection } from '../../../src/protection/ports.ts';

export const ADMINISTRATORS: BypassActor = {
  type: 'administrators',
  id: null,
  name: 'administrators',
  mode: 'always',
};
export const OWNERS: BypassActor = { type: 'owners', id: null, name: 'owners', mode: 'always' };
export const TEAM: BypassActor = { type: 'team', id: 7, name: 'octo-org/release', mode: 'pullRequest' };
export const APP: BypassActor = { type: 'app', id: 9, name: 'merge-bot', mode: 'exempt' };

export const ruleset = (changes: Partial<BranchRule> = {}): BranchRule => ({
  state: 'active',
  source: 'repositoryRuleset',
  id: 1,
  name: 'main',
  isOurs: true,
  needsPull: true,
  bypass: [],
  updated: '2026-11-01T00:00:00Z',
  url: 'https://github.com/octo-org/hello/rules/1',
  ...changes,
});

export const branchProtection = (changes: Partial<BranchRule> = {}): BranchRule =>
  ruleset({
    source: 'branchProtection',
    id: null,
    name: 'the branch protection of main',
    updated: null,
    url: 'https://github.com/octo-org/hello/settings/branches',
    ...changes,
  });

export const repository = (changes: Partial<RepositoryProtection> = {}): RepositoryProtection => ({
  defaultBranch: 'main',
  rulesets: [ruleset()],
  branchProtection: [],
  deployKeys: [],
  ...changes,
});

export const account = (changes: Partial<AccountProtection> = {}): AccountProtection => ({
  owners: [{ id: 1, login: 'octocat' }],
  permissions: { checks: 'write', members: 'read' },
  repositorySelection: 'all',
  repositories: null,
  isSuspended: false,
  isRemoved: false,
  ...changes,
});

/** An environment that has OTP Guard's rule, also for administrators. */
export const anEnvironment = (change: Partial<RepositoryEnvironment> = {}): RepositoryEnvironment => ({
  ...{ name: 'release', isGated: true, canAdminsBypass: false },
  ...change,
});

export const environments = (...first: RepositoryEnvironment[]): RepositoryEnvironments => ({
  ...{ total: first.length, first, isPrivate: false },
});
