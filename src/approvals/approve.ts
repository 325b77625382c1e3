import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { AppError } from '../app-error.ts';
import { consumeChallenge, findChallenge } from '../authenticators/challenges.ts';
import type { Credential } from '../authenticators/ports.ts';
import { verifyAssertion } from '../authenticators/verify-assertion.ts';
import type { ApprovalAnswer, ApprovalTarget } from '../contract/approvals.ts';
import { type Statement, statement as statementSchema } from '../contract/statement.ts';
import type { Person } from '../people/ports.ts';
import type { OptionsDeps } from './approval-options.ts';
import { authorizeStatement } from './authorize-statement.ts';
import { claimedUse } from './claimed-use.ts';
import { statementChallenge } from './make-statement.ts';
import { readStored, requireCounted } from './require-counted.ts';
import { byKey, type StoreApprovalDeps, storeApproval } from './store-approval.ts';

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
    // The target may be from before a transfer. `authorizeStatement` compares the organization.
    orgId: undefined,
  });
  const statement = statementSchema.parse(challenge.subject);
  // The signature covers the statement by its hash only, so that hash has to be the challenge.
  if (statementChallenge(statement) !== challenge.challenge) throw new AppError('challengeUnknown');
  // While GitHub answers, our own records are read: the statement, which we made, says which.
  const [authorized, stored, early] = await Promise.all([
    authorizeStatement(deps, { person, statement, target }),
    readStored(deps, { repoId: statement.repo.id, head: statement.head, ownerId: statement.org.id }),
    readHeld(deps, person, statement),
  ]);
  const orgRecordId = authorized.org.id;
  const registered = early ?? (await deps.credentials.list(person.userId, orgRecordId));
  const use = claimedUse(registered, response);
  const verdict = use && (await requireCounted(deps, { person, authorized, use, stored }));

  await consumeChallenge(deps, challenge);
  const verified = await verifyAssertion(deps, { response, challenge, orgRecordId, registered });
  return storeApproval(deps, {
    person,
    authorized,
    verdict,
    statement,
    ...byKey(verified, { assertion: response }),
  });
}

/** The person's credentials in the organization that the statement names; null if we don't know it yet. */
async function readHeld(
  { organizations, credentials }: ApproveDeps,
  { userId }: Person,
  statement: Statement,
): Promise<Credential[] | null> {
  const org = await organizations.byOrgId(statement.org.id);
  return org && credentials.list(userId, org.id);
}
