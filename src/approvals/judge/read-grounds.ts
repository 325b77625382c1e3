import type { RelyingParty } from '../../authenticators/ports.ts';
import type { Policy } from '../../contract/policy.ts';
import type { Organizations, RepositoryRef } from '../../organizations/ports.ts';
import type { PullFacts } from '../../policies/facts.ts';
import type { Policies } from '../../policies/ports.ts';
import type { Approval, PullRequest } from '../ports.ts';
import { approvalsOf, DEFAULT_GROUNDS, type Grounds } from './judge.ts';
import { type FactDeps, readFacts } from './read-facts.ts';
import type { SomePerson } from './read-person.ts';

export type GroundsDeps = FactDeps & {
  policies: Pick<Policies, 'inForce'>;
  organizations: Pick<Organizations, 'byOrgId'>;
  relyingParty: Pick<RelyingParty, 'hasAttestationRoots'>;
};

/**
 * Reads what pull requests of one repository are judged by: the organization's
 * policy in force, and what its rules ask about each of them. The default policy
 * asks GitHub nothing.
 *
 * @param input.about A person whose approval we want to know about before they give it.
 * @param input.policy Instead of the one in force.
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function readGrounds(
  deps: GroundsDeps,
  input: {
    repo: RepositoryRef;
    pulls: PullRequest[];
    approvals: Approval[];
    about?: SomePerson;
    policy?: Policy | undefined;
  },
): Promise<Grounds> {
  const { repo, pulls, about } = input;
  const [first] = pulls;
  if (!first) return DEFAULT_GROUNDS;
  const { ownerId } = first.repo;
  const policy = input.policy ?? (await deps.policies.inForce(ownerId)).policy;
  const hasRoots = deps.relyingParty.hasAttestationRoots;
  const facts = new Map<number, PullFacts>();
  if (policy.rules.length === 0) return { policy, facts, hasRoots };
  const stored = await deps.organizations.byOrgId(ownerId);
  const org = stored && { ...stored, installationId: repo.installation };
  for (const pull of pulls) {
    const approvers = [...(about ? [about] : []), ...approvalsOf(pull, input.approvals)];
    const found = await readFacts(deps, policy, { org, repo, pull, approvers });
    if (found) facts.set(pull.number, found);
  }
  return { policy, facts, hasRoots };
}
