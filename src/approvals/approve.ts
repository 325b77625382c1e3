import { consumeChallenge } from '../authenticators/challenges.ts';
import { verifyAssertion } from '../authenticators/verify-assertion.ts';
import type { ApprovalAnswer, ApprovalTarget } from '../contract/approvals.ts';
import type { Person } from '../people/ports.ts';
import type { OptionsDeps } from './approval-options.ts';
import { authorizeStatement } from './authorize-statement.ts';
import { claimedUse } from './claimed-use.ts';
import { meanwhile } from './meanwhile.ts';
import { readHeld, readStoredHead } from './read-known.ts';
import type { Signed } from './read-signed.ts';
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
  input: { person: Person; target: ApprovalTarget; signed: Signed },
): Promise<ApprovalAnswer> {
  const { person, target, signed } = input;
  const { response, challenge, statement, before } = signed;
  // While GitHub answers, our own records are read: the statement, which we made, says which.
  const { head, repo, org } = statement;
  const [authorized, [stored, held]] = await meanwhile(
    (onAsked) => authorizeStatement(deps, { person, statement, target, before }, onAsked),
    () =>
      Promise.all([
        readStoredHead(deps, { repoId: repo.id, head, ownerId: org.id }),
        readHeld(deps, person.userId, org.id),
      ]),
  );
  const orgRecordId = authorized.org.id;
  const registered = held ?? (await deps.credentials.list(person.userId, orgRecordId));
  const use = claimedUse(registered, response);
  const verdict = use && (await requireCounted(deps, { person, authorized, use, stored }));

  const consuming = consumeChallenge(deps, challenge);
  deps.approvals.expectOne(orgRecordId);
  await consuming;
  // A passkey that counts no uses leaves nothing to store before the approval.
  const assertion = { response, challenge, orgRecordId, registered, isTimeStored: true };
  const verified = await verifyAssertion(deps, assertion);
  return storeApproval(deps, {
    person,
    authorized,
    verdict,
    statement,
    stored,
    ...byKey(verified, { assertion: response }),
  });
}
