import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { AppError } from '../app-error.ts';
import { assertionFlags } from '../authenticators/assertion-flags.ts';
import { consumeChallenge, findChallenge } from '../authenticators/challenges.ts';
import { assuredOf } from '../authenticators/require-assured.ts';
import { verifyAssertion } from '../authenticators/verify-assertion.ts';
import type { ApprovalAnswer, ApprovalTarget } from '../contract/approvals.ts';
import type { LoggedVerdict } from '../contract/log-entry.ts';
import { type Statement, statement as statementSchema } from '../contract/statement.ts';
import type { Person } from '../people/ports.ts';
import type { OptionsDeps } from './approval-options.ts';
import { type AuthorizedTarget, authorizeApprover, repositoryOf } from './authorize-approver.ts';
import { currentRun } from './current-run.ts';
import { statementChallenge } from './make-statement.ts';
import { requireCounted } from './require-counted.ts';
import { type StoreApprovalDeps, storeApproval } from './store-approval.ts';

export type ApproveDeps = OptionsDeps & StoreApprovalDeps;

/**
 * Approves one head with an assertion over its statement.
 *
 * GitHub is asked first, so that an outage doesn't use up the challenge. Then
 * the statement is compared with the pull request as it is now, an approval that
 * wouldn't count is refused, the challenge is consumed, and the assertion is verified. The approval is stored before GitHub
 * is updated: after that, an outage delays the green check and loses nothing.
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
    // The target may be from before a transfer. `requireSameTarget` compares the organization.
    orgId: undefined,
  });
  const statement = statementSchema.parse(challenge.subject);
  // The signature covers the statement by its hash only, so that hash has to be the challenge.
  if (statementChallenge(statement) !== challenge.challenge) throw new AppError('challengeUnknown');
  // Read before the pull requests, because only a run that is known before them may be completed by them.
  const run = await currentRun(deps, {
    repo: repositoryOf(target),
    repoId: statement.repo.id,
    head: statement.head,
  });
  const authorized = await authorizeApprover(deps, person, target);
  requireSameTarget(deps, statement, { person, authorized });
  const verdict = await requireItCounts(deps, { person, authorized, response });

  await consumeChallenge(deps, challenge);
  const { credential, userVerified } = await verifyAssertion(deps, {
    response,
    challenge,
    orgRecordId: authorized.org.id,
  });
  return storeApproval(deps, {
    person,
    authorized: { ...authorized, run },
    method: credential.type,
    authenticator: credential.id,
    label: credential.label,
    key: credential,
    verdict,
    userVerified,
    aaguid: credential.aaguid,
    modelVerified: credential.modelVerified,
    statement,
    proof: { assertion: response, publicKey: credential.publicKey },
  });
}

/**
 * Nothing is verified yet: `verifyAssertion` does that, and refuses a credential
 * that isn't the person's. It reads the same flags.
 *
 * @returns The verdict with this approval; null if the person doesn't have that credential.
 * @throws AppError `wouldNotCount`.
 */
async function requireItCounts(
  deps: ApproveDeps,
  input: { person: Person; authorized: AuthorizedTarget; response: AuthenticationResponseJSON },
): Promise<LoggedVerdict | null> {
  const { person, authorized, response } = input;
  const held = await deps.credentials.list(person.userId, authorized.org.id);
  const credential = held.find(({ keyId }) => keyId === response.id);
  if (!credential) return null;
  const { userVerified } = assertionFlags(response.response.authenticatorData);
  return requireCounted(deps, { person, authorized, use: { ...assuredOf(credential), userVerified } });
}

/** @throws AppError `challengeUnknown`, `headMoved` or `baseMoved` if the statement is about something else. */
function requireSameTarget(
  { origins }: ApproveDeps,
  statement: Statement,
  { person, authorized: { org, pull } }: { person: Person; authorized: AuthorizedTarget },
): void {
  // Every id: another repository can have the same number and head, and this one another owner since it was signed.
  const isSame =
    statement.host === origins.publicUrl &&
    statement.user.id === person.githubId &&
    statement.org.id === org.orgId &&
    statement.repo.id === pull.repo.id &&
    statement.pr === pull.number;
  if (!isSame) throw new AppError('challengeUnknown');
  if (statement.head !== pull.head) throw new AppError('headMoved');
  if (statement.base !== pull.base) throw new AppError('baseMoved');
}
