import { AppError } from '../app-error.ts';
import { type CodeDeps, consumeOneTimeCode } from '../authenticators/one-time-code.ts';
import { ASSURED_TOTP } from '../authenticators/require-assured.ts';
import type { ApprovalAnswer, ApprovalTarget } from '../contract/approvals.ts';
import type { Person } from '../people/ports.ts';
import type { ApproveDeps } from './approve.ts';
import { authorizeApprover } from './authorize-approver.ts';
import { makeStatement } from './make-statement.ts';
import { requireCounted } from './require-counted.ts';
import { storeApproval } from './store-approval.ts';

/**
 * Approves one head for one base branch with a one-time code. GitHub is asked
 * first, so that an outage, a new head, another base or an approval that wouldn't count doesn't use up the code;
 * then the code is consumed, and the approval stored. Its statement says what was
 * approved, but no key has signed it.
 *
 * @param input.base The base branch that the person saw. A code signs nothing, so this is all that binds it.
 * @throws AppError with each refusal; nothing is approved then.
 */
export async function approveWithCode(
  deps: ApproveDeps & CodeDeps,
  input: { person: Person; target: ApprovalTarget; base: string; code: string },
): Promise<ApprovalAnswer> {
  const { person, target, base, code } = input;
  const authorized = await authorizeApprover(deps, person, target);
  const { org, pull } = authorized;
  if (pull.base !== base) throw new AppError('baseMoved');
  const use = { ...ASSURED_TOTP, userVerified: false };
  const verdict = await requireCounted(deps, { person, authorized, use });
  const app = await consumeOneTimeCode(deps, { userId: person.userId, org, code });
  return storeApproval(deps, {
    person,
    authorized,
    method: 'totp',
    authenticator: app.id,
    label: app.label,
    key: null,
    verdict,
    userVerified: false,
    aaguid: '',
    modelVerified: false,
    statement: makeStatement(deps, { person, org, pull }),
    proof: null,
  });
}
