import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Effects } from '../audit/ports.ts';
import { accountOf } from '../audit/subjects.ts';
import type { RequestOptions } from '../contract/approvals.ts';
import type { AcknowledgeStatement } from '../contract/statement.ts';
import type { Organization } from '../organizations/ports.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Person } from '../people/ports.ts';
import { ownersOf, refusalOf } from '../protection/acknowledge.ts';
import type { StoredWeakening } from '../protection/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { AuthenticatorCallDeps } from './call-deps.ts';
import { consumeOneTimeCode } from './codes/one-time-code.ts';
import type { AuthenticatorDeps } from './deps.ts';
import { proofSha256 } from './logged-credential.ts';
import { issueForKeys, statementParts } from './step-up/challenges.ts';
import { requireAnswer } from './step-up/verify-assertion.ts';

type Deps = AuthenticatorDeps & Pick<AuthenticatorCallDeps, 'weakenings' | 'readAccount'>;

type Input = { person: Person; orgID: number; entry: number };

/**
 * The statement about this weakening's log entry, and the WebAuthn request that lets an owner sign it.
 *
 * @throws AppError each refusal of `acknowledge` that doesn't need a proof, and `missingAuthenticator`.
 */
export async function acknowledgeOptions(
  deps: Deps,
  input: Input,
): Promise<{ challenge: string; options: RequestOptions; statement: AcknowledgeStatement }> {
  const { person } = input;
  const { org, weakening } = await requireWeakening(deps, input);
  const statement: AcknowledgeStatement = {
    ...statementParts({ ...deps, host: deps.relyingParty.origin }, { person, org }),
    purpose: 'acknowledge',
    entry: { number: weakening.entry, leafHash: weakening.leafHash },
  };
  const issued = await issueForKeys(deps, { person, org, purpose: statement.purpose, statement });
  return { ...issued, statement };
}

/**
 * Takes a weakening off the overview, for another owner than the one who did it, who confirms with their own
 * authenticator that they have seen it: with a passkey or key, they sign its log entry. Logs it.
 *
 * GitHub is asked first, so that an outage doesn't use up the challenge.
 *
 * @throws AppError `notOwner`, `weakeningNotFound`, `alreadyAcknowledged`, `ownChange`, `newOwner`, `otherStepUp` if the
 *   challenge is for another entry, and the refusals of the challenge, assertion or code.
 */
export async function acknowledge(
  deps: Deps,
  input: Input & { authResponse?: unknown; otp?: string | undefined },
): Promise<void> {
  const { person, otp } = input;
  const { org, weakening, isAlone } = await requireWeakening(deps, input);
  const signed =
    otp === undefined
      ? await requireSignature(deps, { person, org, weakening, response: input.authResponse as never })
      : null;
  if (otp !== undefined) await consumeOneTimeCode(deps, { userId: person.userId, org, code: otp });
  const proof = signed ? proofSha256(signed) : undefined;
  const stored = await deps.weakenings.acknowledge(
    org,
    weakening.entry,
    { by: accountOf(person), at: deps.clock.now(), signed },
    acknowledgeEffects(person, { org, weakening, isAlone, proof }),
  );
  if (!stored) throw alreadyAcknowledged(await deps.weakenings.find(org.id, weakening.entry), person);
}

async function requireWeakening(
  deps: Deps,
  { person, orgID, entry }: Input,
): Promise<{ org: Organization; weakening: StoredWeakening; isAlone: boolean }> {
  const org = await requireOwner(deps, person, orgID);
  const weakening = await deps.weakenings.find(org.id, entry);
  if (!weakening) throw new AppError('weakeningNotFound');
  if (weakening.acknowledged) throw alreadyAcknowledged(weakening, person);
  const known = await deps.readAccount(org);
  const promoted = await deps.weakenings.promoted(org.id);
  const { refusal, sentence, isAlone } = refusalOf(weakening, person, {
    owners: ownersOf(org, known),
    promoted,
  });
  if (refusal) throw new AppError(refusal, { sentence });
  return { org, weakening, isAlone };
}

/** Names the owner who did it, in this or another tab. */
function alreadyAcknowledged(weakening: StoredWeakening | null, person: Person): AppError {
  const by = weakening?.acknowledgedBy;
  if (!by) return new AppError('alreadyAcknowledged');
  return new AppError('alreadyAcknowledged', {
    sentence: `${by === person.login ? 'You' : by} acknowledged this change in the meantime. Open the page again.`,
  });
}

/** @returns The signed statement, which is about this entry, with its proof. */
async function requireSignature(
  deps: Deps,
  input: {
    person: Person;
    org: Organization;
    weakening: StoredWeakening;
    response: AuthenticationResponseJSON;
  },
) {
  const { weakening, ...answer } = input;
  const { signed } = await requireAnswer<{ statement: AcknowledgeStatement }>(deps, {
    ...answer,
    purpose: 'acknowledge',
    isAbout: ({ statement: { entry } }) =>
      entry.number === weakening.entry && entry.leafHash === weakening.leafHash,
  });
  return signed;
}

function acknowledgeEffects(
  by: Person,
  about: {
    org: Organization;
    weakening: StoredWeakening;
    isAlone: boolean;
    /** Commits to what the owner signed; undefined for a one-time code, which signs nothing. */
    proof: string | undefined;
  },
): Effects {
  const { org, weakening, isAlone, proof } = about;
  const { entry, change, person, repoId } = weakening;
  return {
    activity: {
      activity: 'weakeningAcknowledged',
      userId: by.userId,
      orgRecordId: org.id,
      data: {
        login: by.login,
        org: org.name,
        entry,
        change,
        ...(change.repo !== undefined && { repo: change.repo }),
        ...(person && { user: person.login }),
        ...(isAlone && { alone: true }),
      },
      facts: repoId === null ? {} : { repoId },
      personFacts: {
        by: accountOf(by),
        ...(person && { holder: person }),
        ...(proof !== undefined && { proofSha256: proof }),
      },
    },
    notices: [],
  };
}
