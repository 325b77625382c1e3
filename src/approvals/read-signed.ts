import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { AppError } from '../app-error.ts';
import { findChallenge } from '../authenticators/challenges.ts';
import type { Challenge, Challenges } from '../authenticators/ports.ts';
import type { ApprovalTarget } from '../contract/approvals.ts';
import { type Statement, statement as statementSchema } from '../contract/statement.ts';
import { repositoryOf } from './authorize-approver.ts';
import { type BeforeAsking, type ReadBeforeAskingDeps, readBeforeAsking } from './authorize-statement.ts';
import { statementChallenge } from './make-statement.ts';

/** An assertion over a statement of ours, and what our records have before GitHub is asked. Nothing is verified yet. */
export type Signed = {
  response: AuthenticationResponseJSON;
  challenge: Challenge;
  statement: Statement;
  before: BeforeAsking;
};

/**
 * Reads what a person says they signed. The target says what to read beside it; what was signed decides.
 *
 * @throws AppError `challengeUnknown` if it's no challenge of this person for an approval; `runBeingCreated`.
 */
export async function readSigned(
  deps: ReadBeforeAskingDeps & { challenges: Challenges },
  input: { userId: string; target: ApprovalTarget; response: AuthenticationResponseJSON },
): Promise<Signed> {
  const { userId, target, response } = input;
  const { repoID, head, ownerID } = target;
  const repo = repositoryOf(target);
  const read = (at: { repoId: number; head: string }) => readBeforeAsking(deps, { ...at, repo }, ownerID);
  const ofTarget = repoID === undefined ? null : read({ repoId: repoID, head });
  ofTarget?.catch(() => undefined);
  const challenge = await findChallenge(deps.challenges, {
    clientDataJSON: response.response.clientDataJSON,
    purpose: 'approve',
    userId,
    // The target may be from before a transfer. `authorizeStatement` compares the organization.
    orgId: undefined,
  });
  const statement = statementSchema.parse(challenge.subject);
  // The signature covers the statement by its hash only, so that hash has to be the challenge.
  if (statementChallenge(statement) !== challenge.challenge) throw new AppError('challengeUnknown');
  const isTarget = statement.repo.id === repoID && statement.head === head;
  const ofStatement = () => read({ repoId: statement.repo.id, head: statement.head });
  const before = (isTarget && (await ofTarget)) || (await ofStatement());
  return { response, challenge, statement, before };
}
