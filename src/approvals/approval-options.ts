import { issueChallenge } from '../authenticators/challenges.ts';
import { type FirstOneDeps, firstOneObstacle } from '../authenticators/first-one-obstacle.ts';
import type { Challenges, Credentials, RelyingParty } from '../authenticators/ports.ts';
import { requestOptions } from '../authenticators/request-options.ts';
import { withoutAuthenticator } from '../authenticators/without-authenticator.ts';
import type { ApprovalParamsAnswer, ApprovalTarget } from '../contract/approvals.ts';
import { changesUrl, type Origins, pullUrl } from '../links.ts';
import type { RepositoryRef } from '../organizations/ports.ts';
import type { Person } from '../people/ports.ts';
import { type AuthorizeDeps, authorizeApprover } from './authorize-approver.ts';
import { judgePull } from './judge.ts';
import { makeStatement, type StatementDeps, statementChallenge } from './make-statement.ts';
import type { Approval, Approvals, HeadRef, PullRequest } from './ports.ts';
import { usesOf } from './possible-uses.ts';
import { type GroundsDeps, readGrounds } from './read-grounds.ts';
import { refusalOf } from './require-counted.ts';
import { toOutcome } from './rule-outcome.ts';

export type OptionsDeps = AuthorizeDeps &
  StatementDeps &
  GroundsDeps &
  FirstOneDeps & {
    approvals: Approvals;
    challenges: Challenges;
    credentials: Credentials;
    relyingParty: RelyingParty;
    /** Repairs the head's check run in the background, if it is missing or wrong. */
    recheckRun(at: HeadRef): void;
    origins: Origins;
  };

/**
 * The statement about this head, and the WebAuthn request that lets the person
 * sign it with one of their authenticators of this organization.
 *
 * @param input.method `totp` if the person is going to approve with a one-time
 *   code: the statement is only shown then, and no challenge is issued. `show` is
 *   the same for a person who may have no authenticator yet.
 * @throws AppError with each refusal of `authorizeApprover`, or
 *   `missingAuthenticator`.
 */
export async function approvalOptions(
  deps: OptionsDeps,
  input: {
    person: Pick<Person, 'userId' | 'githubId' | 'login'>;
    target: ApprovalTarget;
    method?: string | undefined;
  },
): Promise<ApprovalParamsAnswer> {
  const { person, method } = input;
  const authorized = await authorizeApprover(deps, person, input.target);
  const { org, repo, pull } = authorized;
  deps.recheckRun({ repo, repoId: pull.repo.id, head: pull.head });
  const [credentials, approvedBefore, approvals] = await Promise.all([
    deps.credentials.list(person.userId, org.id),
    deps.approvals.previousHead(pull.repo.id, pull.number, pull.head),
    deps.approvals.forHead(pull.repo.id, pull.head),
  ]);
  const isShown = method === 'totp' || method === 'show';
  const hasAuthenticator =
    method === 'totp'
      ? (await deps.totpApps.find(person.userId, org.id)) !== null
      : credentials.length > 0 || method === 'show';
  if (!hasAuthenticator) throw await withoutAuthenticator(deps.credentials, person.userId, org.id);

  const statement = makeStatement(deps, { person, org, pull });
  const challenge = statementChallenge(statement);
  const options = await requestOptions(deps.relyingParty, credentials, challenge);
  if (!isShown) {
    const { userId } = person;
    await issueChallenge(deps, {
      challenge,
      purpose: 'approve',
      userId,
      orgId: org.orgId,
      subject: statement,
    });
  }
  const grounds = await readGrounds(deps, { repo, pulls: [pull], approvals, about: person });
  const own = approvals.filter(({ githubId }) => githubId === person.githubId);
  const judged = judgePull(pull, approvals, grounds);
  const uses = usesOf(grounds.policy.assurance, method === 'totp' ? 'totp' : credentials);
  const about = { policy: grounds.policy, userId: person.userId, orgRecordId: org.id };
  const obstacle = credentials.length === 0 ? await firstOneObstacle(deps, about) : null;
  return {
    challenge,
    options,
    statement,
    pull: toShownPull(deps.origins, pull, approvedBefore),
    target: toTarget(repo, pull),
    yourApproval: toShownApproval(judgePull(pull, own, grounds).approvals[0] ?? null),
    passed: judged.passed && judged.approvals.length > 0,
    rules: judged.rules.map(toOutcome),
    refusal: refusalOf(grounds, { person, authorized, uses }) ?? obstacle,
  };
}

function toTarget({ installation }: RepositoryRef, pull: PullRequest): ApprovalParamsAnswer['target'] {
  const { id: repoID, owner, name: repo, ownerId: ownerID } = pull.repo;
  return { installation, owner, ownerID, repo, repoID, pr: pull.number, head: pull.head };
}

function toShownApproval(approval: Approval | null): ApprovalParamsAnswer['yourApproval'] {
  return approval && { method: approval.method, at: approval.at.toISOString() };
}

function toShownPull(
  origins: Origins,
  pull: PullRequest,
  approvedBefore: string | null,
): ApprovalParamsAnswer['pull'] {
  return {
    title: pull.title,
    author: pull.author && { login: pull.author.login, avatarUrl: pull.author.avatarUrl },
    url: pullUrl(origins, pull),
    changesUrl: changesUrl(origins, pull),
    approvedBefore,
    size: pull.size,
  };
}
