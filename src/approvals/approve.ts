import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Person } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import { findChallenge, spendChallenge } from '../authenticators/challenges.ts';
import { verifyAssertion } from '../authenticators/verify-assertion.ts';
import type { ApprovalAnswer, ApprovalTarget } from '../contract/approvals.ts';
import { statement as statementSchema } from '../contract/statement.ts';
import { knownRun } from './ensure-run.ts';
import { inspect, repoOf } from './inspect.ts';
import type { OptionsDeps } from './options.ts';
import { type RecordDeps, record } from './record.ts';

export type ApproveDeps = OptionsDeps & RecordDeps;

/**
 * Approves one head with an assertion over its statement.
 *
 * GitHub is asked first, so that an outage uses nothing up; then the challenge
 * is spent, then the assertion is verified against the statement as it was
 * made, and that against the pull request as it is. The approval is stored
 * before GitHub hears of it: from there on an outage delays the green check
 * and loses nothing.
 *
 * @throws AppError with each refusal; nothing is approved then.
 */
export async function approve(
  deps: ApproveDeps,
  input: { person: Person; target: ApprovalTarget; response: AuthenticationResponseJSON },
): Promise<ApprovalAnswer> {
  const { person, target, response } = input;
  const challenge = await findChallenge(deps.challenges, {
    clientDataJSON: response.response.clientDataJSON,
    purpose: 'approve',
    userId: person.userId,
    orgId: target.ownerID,
  });
  const statement = statementSchema.parse(challenge.subject);
  const at = { repo: repoOf(target), repoId: statement.repo.id, head: statement.head };
  // Before the pull requests: by what is read after it, this run may be completed.
  const run = await knownRun(deps, at);
  const here = await inspect(deps, person, target);
  const { org, pull } = here;
  const signed =
    statement.host === deps.places.publicUrl &&
    statement.user.id === person.githubId &&
    statement.org.id === org.orgId &&
    statement.repo.id === pull.repo.id &&
    statement.pr === pull.number;
  if (!signed) throw new AppError('challengeUnknown');
  if (statement.head !== pull.head) throw new AppError('headMoved');
  if (statement.base !== pull.base) throw new AppError('baseMoved');

  await spendChallenge(deps, challenge);
  const { credential, userVerified } = await verifyAssertion(deps, {
    response,
    challenge,
    orgRecordId: org.id,
  });

  return record(
    deps,
    { ...here, run },
    {
      org: { id: org.orgId, recordId: org.id, login: org.name },
      user: { id: person.githubId, recordId: person.userId, login: person.login },
      method: credential.type,
      label: credential.label,
      userVerified,
      statement,
      proof: { assertion: response, publicKey: credential.publicKey },
    },
  );
}
