import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Organization } from '../../organizations/ports.ts';
import type { Session } from '../../people/ports.ts';
import { isKnownKey } from '../../proofs/cose-key.ts';
import { isTopLevel, parseClientData } from '../../proofs/verify-statement.ts';
import { AppError } from '../../shared/app-error.ts';
import { sha256OfJson } from '../../shared/crypto.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import type { Challenge, Credential, Credentials, Purpose, RelyingParty } from '../ports.ts';
import { consumeChallenge, findChallenge, userHandle, whyItIsNotListed } from './challenges.ts';

type Assertion = {
  response: AuthenticationResponseJSON;
  challenge: Challenge;
  orgRecordId: string;
  /** The person's credentials in the organization, if the caller has just read them. */
  registered?: Credential[];
  /** As `Credentials.recordUse` takes it. */
  isTimeSaved?: boolean;
};

export type VerifiedAssertion = { credential: Credential; userVerified: boolean };

/**
 * Verifies that the person answered a challenge of `issueForKeys`, and uses it up.
 *
 * @param input.isAbout Whether the challenge's subject is what the person is going to do.
 * @returns The result of `verifyAssertion`, and the signed statement with its proof.
 * @throws AppError `otherStepUp` if the challenge is about something else, and the refusals of the challenge and the
 *   assertion. A challenge that isn't about this stays unused.
 */
export async function requireAnswer<Subject extends { statement?: object | undefined }>(
  deps: AuthenticatorDeps,
  input: {
    person: Pick<Session, 'userId'>;
    org: Organization;
    purpose: Purpose;
    response: AuthenticationResponseJSON;
    isAbout(subject: Subject): boolean;
  },
) {
  const { person, org, purpose, response } = input;
  const challenge = await findChallenge(deps.challenges, {
    clientDataJSON: response.response.clientDataJSON,
    purpose,
    userId: person.userId,
    orgId: org.orgId,
  });
  const subject = challenge.subject as Subject;
  const statement: Subject['statement'] = subject.statement;
  // A signature covers the statement by its hash only.
  if (statement && sha256OfJson(statement) !== challenge.challenge) throw new AppError('challengeUnknown');
  if (!input.isAbout(subject)) throw new AppError('otherStepUp');
  await consumeChallenge(deps, challenge);
  const verified = await verifyAssertion(deps, { response, challenge, orgRecordId: org.id });
  const { publicKey } = verified.credential;
  return { ...verified, signed: { statement, assertion: response, publicKey } };
}

/**
 * Verifies an assertion over a challenge that is already used up: WebAuthn
 * Level 3, section 7.2. Also checks what the library leaves to the relying
 * party: that the credential and the user handle belong to the person, that the
 * ceremony didn't run in another site's frame, and that the counter rises.
 *
 * @throws AppError `notYourAuthenticator` if the credential isn't this person's
 *   in this organization, `pendingAuthenticator` or `vouchNeeded` if it doesn't count, `unknownKey` if
 *   `isKnownKey` doesn't accept its public key, `clonedAuthenticator` if its counter doesn't rise, `assertionFailed` in
 *   all other cases.
 */
export async function verifyAssertion(
  deps: { credentials: Credentials; relyingParty: RelyingParty },
  input: Assertion,
): Promise<VerifiedAssertion> {
  const { credentials, relyingParty } = deps;
  const { response, challenge, isTimeSaved = false } = input;

  const credential = await findCredential(credentials, input);
  const data = parseClientData(response.response.clientDataJSON);
  if (!data || !isTopLevel(data)) throw new AppError('assertionFailed');

  const seen = await verifySignature(relyingParty, { response, challenge, credential });
  const { newCounter: counter, userVerified, credentialBackedUp: backedUp } = seen;
  // Section 7.2 step 22: once an authenticator uses its counter, the counter must rise.
  const rises = counter > credential.counter || (counter === 0 && credential.counter === 0);
  if (!rises || !(await credentials.recordUse(credential, { counter, backedUp, isTimeSaved }))) {
    throw new AppError('clonedAuthenticator');
  }
  return { credential, userVerified };
}

async function findCredential(
  credentials: Credentials,
  { response, challenge, orgRecordId, registered }: Assertion,
): Promise<Credential> {
  const all = registered ?? (await credentials.list(challenge.userId, orgRecordId));
  const credential = all.find(({ keyId }) => keyId === response.id);
  if (!credential) {
    const own = (await credentials.all(challenge.userId, orgRecordId)).find(
      ({ keyId }) => keyId === response.id,
    );
    throw new AppError(own ? whyItIsNotListed(own) : 'notYourAuthenticator');
  }
  const expectedHandle = Buffer.from(userHandle(challenge.userId, challenge.orgId)).toString('base64url');
  const { userHandle: handle } = response.response;
  if (handle && handle !== expectedHandle) throw new AppError('notYourAuthenticator');
  return credential;
}

async function verifySignature(
  relyingParty: RelyingParty,
  input: { response: AuthenticationResponseJSON; challenge: Challenge; credential: Credential },
) {
  const { response, challenge, credential } = input;
  const publicKey = new Uint8Array(Buffer.from(credential.publicKey, 'base64url'));
  // A key that no verifier of receipts accepts must not count.
  if (!isKnownKey(publicKey)) throw new AppError('unknownKey');
  const verification = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge.challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: false,
    credential: {
      id: credential.keyId,
      publicKey,
      // The caller compares the counter, because a copied authenticator gets its own sentence.
      counter: 0,
    },
  }).catch((cause: unknown) => {
    throw new AppError('assertionFailed', { cause });
  });
  if (!verification.verified) throw new AppError('assertionFailed');
  return verification.authenticationInfo;
}

const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
/** The flags follow the hash of the relying party's id. */
const FLAGS_AT = 32;

/**
 * Reads the flags of an assertion's authenticator data (base64url): WebAuthn Level 3,
 * section 6.1. Nothing is verified here; if the flags are missing, both are
 * what counts for less.
 */
export function assertionFlags(authenticatorData: string): {
  userVerified: boolean;
  backupEligible: boolean;
} {
  const flags = Buffer.from(authenticatorData, 'base64url')[FLAGS_AT] ?? BACKUP_ELIGIBLE;
  return { userVerified: (flags & USER_VERIFIED) !== 0, backupEligible: (flags & BACKUP_ELIGIBLE) !== 0 };
}
