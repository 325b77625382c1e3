import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { AppError } from '../app-error.ts';
import { consumeChallenge, findChallenge } from '../authenticators/challenges.ts';
import { verifyAssertion } from '../authenticators/verify-assertion.ts';
import type { ApprovalAnswer, ApprovalTarget } from '../contract/approvals.ts';
import { statement as statementSchema } from '../contract/statement.ts';
import type { Person } from '../people/ports.ts';
import type { OptionsDeps } from './approval-options.ts';
import { authorizeStatement } from './authorize-statement.ts';
import { claimedUse } from './claimed-use.ts';
import { statementChallenge } from './make-statement.ts';
import { meanwhile } from './meanwhile.ts';
import { readHeld, readStored } from './read-known.ts';
import { requireCounted } from './require-counted.ts';
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
  const { head, repo, org } = statement;
  const [authorized, [stored, held]] = await meanwhile(
    (onAsked) => authorizeStatement(deps, { person, statement, target }, onAsked),
    () =>
      Promise.all([
        readStored(deps, { repoId: repo.id, head, ownerId: org.id }),
        readHeld(deps, person.userId, org.id),
      ]),
  );
  const orgRecordId = authorized.org.id;
  const registered = held ?? (await deps.credentials.list(person.userId, orgRecordId));
  const use = claimedUse(registered, response);
  const verdict = use && (await requireCounted(deps, { person, authorized, use, stored }));

  await consumeChallenge(deps, challenge);
  const signed = { response, challenge, orgRecordId, registered };
  // A passkey that counts no uses leaves nothing to store before the approval.
  const verified = await verifyAssertion(deps, { ...signed, isTimeStored: true });
  return storeApproval(deps, {
    person,
    authorized,
    verdict,
    statement,
    ...byKey(verified, { assertion: response }),
  });
}
