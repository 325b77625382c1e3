import type { Challenges, Credentials, RelyingParty } from '../../authenticators/ports.ts';
import { issueChallenge } from '../../authenticators/step-up/challenges.ts';
import { requestOptions } from '../../authenticators/step-up/request-options.ts';
import { withoutAuthenticator } from '../../authenticators/step-up/without-authenticator.ts';
import type { ApprovalParamsAnswer, ApprovalTarget } from '../../contract/approvals.ts';
import type { Person } from '../../people/ports.ts';
import type { HeadRef } from '../ports.ts';
import { type AuthorizeDeps, authorizeApprover } from './authorize-approver.ts';
import { makeStatement, type StatementDeps, statementChallenge } from './make-statement.ts';
import { type ShowTargetDeps, showTarget } from './show-target.ts';

export type OptionsDeps = AuthorizeDeps &
  StatementDeps &
  ShowTargetDeps & {
    challenges: Challenges;
    credentials: Credentials;
    relyingParty: RelyingParty;
    /** Repairs the head's check run in the background, if it is missing or wrong. */
    recheckRun(at: HeadRef): void;
  };

/**
 * The statement about this head, and the WebAuthn request that lets the person
 * sign it with one of their authenticators of this organization.
 *
 * @param input.method `totp` if the person is going to approve with a one-time
 *   code: the statement is only shown then, and no challenge is issued. `show` is
 *   the same for a person who may have no authenticator yet, and `show-code` if
 *   their browser can only do one-time codes.
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
  const { userId } = person;
  const authorized = await authorizeApprover(deps, person, input.target);
  const { org, repo, pull } = authorized;
  deps.recheckRun({ repo, repoId: pull.repo.id, head: pull.head });
  const held = await deps.credentials.list(userId, org.id);
  const isByCode = method === 'totp' || method === 'show-code';
  const isForAnyone = method === 'show' || method === 'show-code';
  const hasAuthenticator =
    method === 'totp' ? (await deps.totpApps.find(userId, org.id)) !== null : held.length > 0 || isForAnyone;
  if (!hasAuthenticator) throw await withoutAuthenticator(deps.credentials, userId, org.id);

  const statement = makeStatement(deps, { person, org, pull });
  const challenge = statementChallenge(statement);
  const options = await requestOptions(deps.relyingParty, held, challenge);
  const issued = { challenge, purpose: 'approve', userId, orgId: org.orgId, subject: statement } as const;
  const [shown] = await Promise.all([
    showTarget(deps, { person, authorized, held, isByCode }),
    isByCode || isForAnyone ? undefined : issueChallenge(deps, issued),
  ]);
  return { challenge, options, statement, ...shown };
}
