import { issueChallenge, requestOptions } from '../../authenticators/step-up/challenges.ts';
import type { ApprovalTarget } from '../../contract/approvals.ts';
import type { DenialAnswer, DenyParamsAnswer } from '../../contract/denials.ts';
import { type DenyStatement, denyStatement } from '../../contract/statement.ts';
import type { NewNotice } from '../../notices/ports.ts';
import type { Person, Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { pullUrl } from '../../shared/links.ts';
import { findHeld, showTarget } from '../approve/approval-options.ts';
import { authorizeHead } from '../approve/approve.ts';
import { authorizeApprover } from '../approve/authorize-approver.ts';
import type { ApproveDeps } from '../approve/deps.ts';
import { makeDenyStatement, statementChallenge } from '../approve/make-statement.ts';
import { type Proof, prove } from '../approve/prove.ts';
import { requireCounted } from '../approve/require-counted.ts';
import { givenActivity, toNewGiven, type VerifiedGiven } from '../approve/store-approval.ts';
import { syncCheckRun } from '../check-run/head.ts';
import { findNotices } from './find-notices.ts';

/**
 * The statement that denies this head, and the WebAuthn request that lets the person sign it.
 *
 * @param input.method `totp` for a one-time code: the statement is only shown then, and no challenge is issued.
 * @throws AppError with each refusal of `authorizeApprover`, `missingAuthenticator`, `alreadyDenied`, and `wouldNotCount`
 *   for a person whose approval wouldn't count.
 */
export async function denyOptions(
  deps: ApproveDeps,
  input: { person: Session; target: ApprovalTarget; reason: string; method?: string | undefined },
): Promise<DenyParamsAnswer> {
  const { person, target, reason, method } = input;
  const { userId } = person;
  const authorized = await authorizeApprover(deps, person, target);
  const { org, pull } = authorized;
  const isByCode = method === 'totp';
  const held = await findHeld(deps, { userId, orgRecordId: org.id, method });
  const { shown, userVerification } = await showTarget(deps, { person, authorized, held, isByCode });
  if (shown.denials.some(({ isYours }) => isYours)) throw new AppError('alreadyDenied');
  if (shown.refusal !== null) throw new AppError('wouldNotCount', { sentence: shown.refusal });
  const statement = makeDenyStatement(deps, { person, org, pull, reason });
  const challenge = statementChallenge(statement);
  const options = await requestOptions(deps.relyingParty, held, { challenge, userVerification });
  if (!isByCode)
    await issueChallenge(deps, { challenge, purpose: 'deny', userId, orgId: org.orgId, subject: statement });
  return { challenge, options, statement };
}

/**
 * Denies one head with an assertion over its statement, or with a one-time code. Nothing passes with it until the person
 * withdraws the denial.
 *
 * @throws AppError with each refusal; nothing is denied then. `otherReason` if another reason was signed.
 */
export async function deny(
  deps: ApproveDeps,
  input: { person: Person; target: ApprovalTarget; reason: string; proof: Proof },
): Promise<DenialAnswer> {
  const { person, target, reason } = input;
  const denial = await prove(deps, input, {
    purpose: 'deny',
    schema: denyStatement,
    authorize: (signed) => authorizeHead(deps, { person, target, signed }),
    async requireCounted(authorized, use) {
      await requireCounted(deps, { person, authorized, use });
      const { repo, pull } = authorized;
      const about = { label: `${repo.name}#${pull.number}` };
      const work = { kind: 'pullDenied', account: pull.author, about } as const;
      return { notices: await findNotices(deps, { person, authorized, reason }, work) };
    },
    makeStatement: ({ org, pull }) => makeDenyStatement(deps, { person, org, pull, reason }),
  });
  return storeDenial(deps, { ...denial, reason });
}

type VerifiedDenial = VerifiedGiven<DenyStatement> & { reason: string; notices: NewNotice[] };

/** Stores a denial, then updates GitHub. An outage between the two delays what GitHub shows and loses nothing. */
async function storeDenial(deps: ApproveDeps, denial: VerifiedDenial): Promise<DenialAnswer> {
  const { authorized, reason, notices } = denial;
  const { repo, pull, reading } = authorized;
  const effects = { activity: givenActivity(denial, { reason }), notices };
  const given = toNewGiven(denial, { opened: pull.createdAt, reason });
  const added = await deps.approvals.add(given, effects);
  // Two denials at the same moment can have different reasons, and only one of them is stored.
  if (!added) throw new AppError('alreadyDenied');
  const headRef = { repo, repoId: pull.repo.id, head: pull.head };
  const redirect = pullUrl(deps.origins, pull);
  try {
    const { denials } = await syncCheckRun(deps, headRef, reading, { checkpoint: added.checkpoint });
    return { redirect, reported: denials.length > 0 };
  } catch (error) {
    // The error isn't thrown on: the denial is stored, and must not look refused.
    deps.onDelay(error);
    return { redirect, reported: false };
  }
}
