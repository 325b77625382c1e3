import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { RequestOptions } from '../../contract/approvals.ts';
import { userHandleText } from '../../contract/authenticator-kinds.ts';
import { knownTransports } from '../../contract/fields.ts';
import type { Assurance } from '../../contract/policy.ts';
import type { Organization } from '../../organizations/ports.ts';
import type { Session } from '../../people/ports.ts';
import { parseClientData } from '../../proofs/verify-statement.ts';
import { AppError } from '../../shared/app-error.ts';
import type { Clock, Random } from '../../shared/clock.ts';
import { sha256, sha256OfJson } from '../../shared/crypto.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import type { Challenge, Challenges, Credential, Credentials, Purpose, RelyingParty } from '../ports.ts';

/** How long a challenge is valid by the server's clock; the grace is for the answer's way to us. */
export const CHALLENGE_LIFE_MS = 60_000;
const GRACE_MS = 5_000;

/** Stores a challenge and what it was made for, until it expires. */
export async function issueChallenge(
  deps: { challenges: Challenges; clock: Clock },
  challenge: Omit<Challenge, 'expires'>,
): Promise<void> {
  const expires = new Date(deps.clock.now().getTime() + CHALLENGE_LIFE_MS);
  await deps.challenges.add({ ...challenge, expires });
}

/**
 * Issues a challenge for one of the person's own passkeys or security keys in this organization.
 *
 * @param input.statement The statement that they sign: its hash is the challenge, which is random without one.
 * @param input.about What else the challenge is bound to.
 * @throws AppError `missingAuthenticator` if the person has none, or why theirs don't count.
 */
export async function issueForKeys(
  deps: AuthenticatorDeps,
  input: {
    person: Pick<Session, 'userId'>;
    org: Organization;
    purpose: Purpose;
    statement: object | undefined;
    about?: object;
  },
): Promise<{ challenge: string; options: RequestOptions }> {
  const { person, org, purpose, statement, about } = input;
  const { userId } = person;
  const credentials = await deps.credentials.list(userId, org.id);
  if (credentials.length === 0) throw await withoutAuthenticator(deps.credentials, userId, org.id);
  const { policy } = await deps.policies.inForce(org.orgId);
  const options = await requestOptions(deps.relyingParty, credentials, {
    challenge: statement && sha256OfJson(statement),
    userVerification: policy.assurance.userVerification,
  });
  const { challenge } = options;
  const subject = { ...about, ...(statement && { statement }) };
  await issueChallenge(deps, { challenge, purpose, userId, orgId: org.orgId, subject });
  return { challenge, options };
}

/** The refusal of a person who has no authenticator that counts, with what keeps it from counting. */
export async function withoutAuthenticator(
  credentials: Pick<Credentials, 'all'>,
  userId: string,
  orgRecordId: string,
): Promise<AppError> {
  const [one] = (await credentials.all(userId, orgRecordId)).sort(pendingFirst);
  if (!one) return new AppError('missingAuthenticator');
  return new AppError(whyItIsNotListed(one));
}

/** Why this authenticator isn't among the person's authenticators that count. */
export const whyItIsNotListed = ({ pending }: Credential): 'pendingAuthenticator' | 'vouchNeeded' =>
  pending === '' ? 'vouchNeeded' : 'pendingAuthenticator';

const pendingFirst = (one: Credential, other: Credential) =>
  Number(other.pending !== '') - Number(one.pending !== '');

/**
 * Finds the challenge that the client data answers.
 *
 * @param wanted.orgId Undefined if only GitHub knows the organization yet: the
 *   caller then has to compare it.
 * @throws AppError `challengeUnknown` if there is none, or if it was made for
 *   another purpose, person or organization.
 */
export async function findChallenge(
  challenges: Challenges,
  wanted: { clientDataJSON: string; purpose: Purpose; userId: string; orgId: number | undefined },
): Promise<Challenge> {
  const data = parseClientData(wanted.clientDataJSON);
  const challenge = data ? await challenges.find(data.challenge) : null;
  if (
    !challenge ||
    challenge.purpose !== wanted.purpose ||
    challenge.userId !== wanted.userId ||
    (wanted.orgId !== undefined && challenge.orgId !== wanted.orgId)
  ) {
    throw new AppError('challengeUnknown');
  }
  return challenge;
}

/**
 * Uses a challenge up. Do this before you verify its answer, so that of several
 * simultaneous answers only one is verified.
 *
 * @throws AppError `challengeUsed`, `challengeExpired`.
 */
export async function consumeChallenge(
  deps: { challenges: Challenges; clock: Clock },
  challenge: Challenge,
): Promise<void> {
  if (!(await deps.challenges.consume(challenge))) throw new AppError('challengeUsed');
  if (deps.clock.now().getTime() > challenge.expires.getTime() + GRACE_MS)
    throw new AppError('challengeExpired');
}

/** How long the browser gives a person for a ceremony. */
export const CEREMONY_MS = 60_000;

/** A credential in the form that the browser's options have; older ones were stored with unknown transports. */
export const descriptorOf = ({ keyId, transports }: Credential) => ({
  id: keyId,
  transports: knownTransports(transports),
});

/**
 * The options for an assertion by one of these credentials: WebAuthn Level 3,
 * section 5.5.
 *
 * @param input.challenge base64url; random if it's undefined.
 * @param input.userVerification What will be demanded: a browser may skip the PIN of a key if it's only preferred.
 */
export async function requestOptions(
  relyingParty: RelyingParty,
  credentials: Credential[],
  {
    challenge,
    userVerification,
  }: { challenge: string | undefined; userVerification: Assurance['userVerification'] },
): Promise<RequestOptions> {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty.id,
    allowCredentials: credentials.map(descriptorOf),
    userVerification,
    timeout: CEREMONY_MS,
    ...(challenge !== undefined && { challenge: new Uint8Array(Buffer.from(challenge, 'base64url')) }),
  });
  return options as RequestOptions;
}

/** The WebAuthn user handle of a person in one organization: 32 bytes. */
export const userHandle = (userId: string, orgId: number): Uint8Array<ArrayBuffer> =>
  sha256(userHandleText(userId, orgId));

/** The person who signs a statement, and the organization that it's about. */
export type Parties = {
  person: Pick<Session, 'githubId' | 'login'>;
  org: Pick<Organization, 'orgId' | 'name'>;
};

/** The parts of every signed statement: the site, who signs it, for which organization, and when. `nonce` makes it unique. */
export function statementParts(
  { host, clock, random }: { host: string; clock: Clock; random: Random },
  { person, org }: Parties,
) {
  return {
    v: 1 as const,
    host,
    user: { id: person.githubId, login: person.login },
    org: { id: org.orgId, login: org.name },
    nonce: Buffer.from(random(16)).toString('base64url'),
    iat: Math.floor(clock.now().getTime() / 1000),
  };
}
