import type { Person } from '../accounts/ports.ts';
import { type CodeDeps, spendOneTimeCode } from '../authenticators/one-time-code.ts';
import type { ApprovalAnswer, ApprovalTarget } from '../contract/approvals.ts';
import type { ApproveDeps } from './approve.ts';
import { inspect } from './inspect.ts';
import { record } from './record.ts';
import { makeStatement } from './statement.ts';

/**
 * Approves one head with a one-time code. GitHub is asked first, so that an
 * outage uses no code up; then the code is used up, then the approval is stored.
 * The statement says what was approved, and no key has signed it.
 *
 * @throws AppError with each refusal; nothing is approved then.
 */
export async function approveWithCode(
  deps: ApproveDeps & CodeDeps,
  input: { person: Person; target: ApprovalTarget; code: string },
): Promise<ApprovalAnswer> {
  const { person, target, code } = input;
  const here = await inspect(deps, person, target);
  const { org, pull } = here;
  const app = await spendOneTimeCode(deps, { userId: person.userId, org, code });
  return record(deps, here, {
    org: { id: org.orgId, recordId: org.id, login: org.name },
    user: { id: person.githubId, recordId: person.userId, login: person.login },
    method: 'totp',
    label: app.label,
    userVerified: false,
    statement: makeStatement({
      host: deps.places.publicUrl,
      user: { id: person.githubId, login: person.login },
      org: { id: org.orgId, login: org.name },
      pull,
      now: deps.clock.now(),
      random: deps.random,
    }),
    proof: null,
  });
}
