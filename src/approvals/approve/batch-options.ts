import type { Credential } from '../../authenticators/ports.ts';
import {
  issueChallenge,
  requestOptions,
  withoutAuthenticator,
} from '../../authenticators/step-up/challenges.ts';
import type {
  ApprovalTarget,
  BatchItem,
  BatchParamsAnswer,
  BatchSubject,
  LeftOut,
} from '../../contract/approvals.ts';
import type { Assurance } from '../../contract/policy.ts';
import type { Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { showTarget } from './approval-options.ts';
import { authorizeApprover } from './authorize-approver.ts';
import { attemptEach, isLeftOut, leftOut, splitItems } from './batch.ts';
import type { ApproveDeps } from './deps.ts';
import { makeBatchStatement, makeStatement, statementChallenge } from './make-statement.ts';

/**
 * The statements about these heads, and the WebAuthn request that lets the person sign all of them together with one of
 * their authenticators of this organization. A head that they can't approve now, or approved already, is left out.
 *
 * @param input.orgID The organization that all of them have to be in.
 * @throws AppError `installationNotFound`, `missingAuthenticator`, `githubUnavailable`; `nothingToApprove` if every
 *   head is left out.
 */
export async function batchOptions(
  deps: ApproveDeps,
  { person, orgID, targets }: { person: Session; orgID: number; targets: ApprovalTarget[] },
): Promise<BatchParamsAnswer> {
  const { userId } = person;
  const org = await deps.organizations.byOrgId(orgID);
  if (!org) throw new AppError('installationNotFound');
  const held = await deps.credentials.list(userId, org.id);
  if (held.length === 0) throw await withoutAuthenticator(deps.credentials, userId, org.id);
  const needed = new Set<Assurance['userVerification']>();
  const items = onlyOnce(
    await attemptEach(
      targets.map((target) => ({ target })),
      async ({ target }) => {
        const { item, userVerification } = await prepareItem(deps, { person, orgID, held, target });
        needed.add(userVerification);
        return item;
      },
    ),
  );
  const { done: ready, left } = splitItems(items);
  if (ready.length === 0) throw nothingToApprove(left);

  const statements = ready.map(({ statement }) => statement);
  const batch = makeBatchStatement(deps, { person, org, statements });
  const challenge = statementChallenge(batch);
  const subject: BatchSubject = {
    batch,
    items: ready.map(({ statement, target }) => ({ statement, target })),
  };
  const userVerification = needed.has('required') ? 'required' : 'preferred';
  const options = await requestOptions(deps.relyingParty, held, { challenge, userVerification });
  await issueChallenge(deps, { challenge, purpose: 'approve-batch', userId, orgId: orgID, subject });
  return { challenge, options, statement: batch, items };
}

/** @throws AppError with each refusal of `authorizeApprover`, `otherOrganization`, `alreadyApproved`, `wouldNotCount`. */
async function prepareItem(
  deps: ApproveDeps,
  input: { person: Session; orgID: number; held: Credential[]; target: ApprovalTarget },
): Promise<{ item: BatchItem; userVerification: Assurance['userVerification'] }> {
  const { person, orgID, held } = input;
  // The organization is compared before the first request to GitHub: the call is counted against this one alone.
  if (input.target.ownerID !== orgID) throw new AppError('otherOrganization');
  const authorized = await authorizeApprover(deps, person, input.target);
  const { org, repo } = authorized;
  if (org.orgId !== orgID) throw new AppError('otherOrganization');
  deps.recheckRun({ repo, repoId: authorized.pull.repo.id, head: authorized.pull.head });
  const { shown, userVerification } = await showTarget(deps, { person, authorized, held });
  const { pull, target, rules, yourApproval, refusal } = shown;
  if (yourApproval) throw new AppError('alreadyApproved');
  if (refusal !== null) throw new AppError('wouldNotCount', { sentence: refusal });
  const statement = makeStatement(deps, { person, org, pull: authorized.pull });
  return { item: { statement, pull, target, rules }, userVerification };
}

/** Compares GitHub's ids: the same pull request can be sent under two names of its repository. */
function onlyOnce(items: (BatchItem | LeftOut)[]): (BatchItem | LeftOut)[] {
  const seen = new Set<string>();
  return items.map((item) => {
    if (isLeftOut(item)) return item;
    const id = `${item.target.repoID}#${item.target.pr}`;
    if (seen.has(id)) return leftOut(item.target, new AppError('listedTwice'));
    seen.add(id);
    return item;
  });
}

/** The refusal has the reason of the items if all have the same. */
function nothingToApprove(items: LeftOut[]): AppError {
  const [sentence, ...others] = new Set(items.map(({ why }) => why));
  return sentence === undefined || others.length > 0
    ? new AppError('nothingToApprove')
    : new AppError('nothingToApprove', { sentence });
}
