import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import { requireMembership } from '../accounts/membership.ts';
import type { Members, Organizations, Person } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import type {
  CreationOptions,
  RegistrationAnswer,
  RegistrationParamsAnswer,
  WebauthnType,
} from '../contract/authenticators.ts';
import type { StepUp } from '../contract/step-up.ts';
import { findChallenge, issueChallenge, spendChallenge } from './challenges.ts';
import { isTopLevel, parseClientData } from './client-data.ts';
import { entryOf, ownerOf, proveEntry } from './entry.ts';
import { modelOf } from './model.ts';
import type { RelyingParty } from './ports.ts';
import { CEREMONY_MS, descriptorOf } from './request-options.ts';
import type { StepUpDeps } from './step-up.ts';
import { userHandle } from './user-handle.ts';

/** ES256 and RS256, as COSE names them. */
const ALGORITHMS = [-7, -257];
/** WebAuthn Level 3, section 7.1 step 25. */
const LONGEST_CREDENTIAL_ID = 1023;

export type RegistrationDeps = StepUpDeps & { organizations: Organizations; members: Members };

type Wish = { label: string; type: WebauthnType; orgID: number };

/**
 * The options for a new passkey or security key of this person in this organization.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`.
 */
export async function registrationOptions(
  deps: RegistrationDeps,
  input: { person: Person } & Wish,
): Promise<RegistrationParamsAnswer> {
  const { person, type, label, orgID } = input;
  const org = await requireMembership(deps, person, orgID);
  const existing = await deps.credentials.of(person.userId, org.id);
  const options = await generateRegistrationOptions({
    rpName: deps.relyingParty.name,
    rpID: deps.relyingParty.id,
    userName: `${person.login}@${org.name}/github`,
    userDisplayName: person.login,
    userID: userHandle(person.userId, orgID),
    timeout: CEREMONY_MS,
    attestationType: 'direct',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map(descriptorOf),
    authenticatorSelection: {
      authenticatorAttachment: type === 'passkey' ? 'platform' : 'cross-platform',
      // A security key has few places for discoverable credentials, and we always name ours.
      residentKey: type === 'passkey' ? 'preferred' : 'discouraged',
      userVerification: 'discouraged',
    },
  });
  await issueChallenge(deps, {
    challenge: options.challenge,
    purpose: 'register',
    userId: person.userId,
    orgId: orgID,
    subject: { label, type },
  });
  return { challenge: options.challenge, userid: options.user.id, options: options as CreationOptions };
}

/**
 * Stores the passkey or security key that a ceremony made: WebAuthn Level 3,
 * section 7.1. Only the first one of a person in an organization goes in on the
 * session alone; a further one needs a step-up.
 *
 * @throws AppError `stepUpRequired`, `alreadyRegistered`, `attestationFailed`,
 *   and the refusals of the challenge and of the membership.
 */
export async function registerWebauthn(
  deps: RegistrationDeps,
  input: { person: Person; response: RegistrationResponseJSON; stepUp?: StepUp | undefined } & Wish,
): Promise<RegistrationAnswer> {
  const { person, response, label, type, orgID, stepUp: proof } = input;
  const org = await requireMembership(deps, person, orgID);
  const entry = await entryOf(deps, { person, org, proof });
  const challenge = await findChallenge(deps.challenges, {
    clientDataJSON: response.response.clientDataJSON,
    purpose: 'register',
    userId: person.userId,
    orgId: orgID,
  });
  const wished = challenge.subject as { label: string; type: string };
  if (wished.label !== label || wished.type !== type) throw new AppError('challengeUnknown');
  await spendChallenge(deps, challenge);

  const data = parseClientData(response.response.clientDataJSON);
  if (!data || !isTopLevel(data)) throw new AppError('attestationFailed');
  const { info, attested } = await verify(deps.relyingParty, response, challenge.challenge);
  if (Buffer.from(info.credential.id, 'base64url').length > LONGEST_CREDENTIAL_ID)
    throw new AppError('attestationFailed');

  await proveEntry(deps, { person, org, proof, entry });
  const added = await deps.credentials.add(
    {
      type,
      label,
      keyId: info.credential.id,
      userId: person.userId,
      orgRecordId: org.id,
      publicKey: Buffer.from(info.credential.publicKey).toString('base64url'),
      counter: info.credential.counter,
      transports: info.credential.transports ?? [],
      aaguid: info.aaguid,
      model: modelOf(info.aaguid),
      backupEligible: info.credentialDeviceType === 'multiDevice',
      backedUp: info.credentialBackedUp,
      attested,
    },
    ownerOf(person, org),
    entry,
  );
  if (added === 'known') throw new AppError('alreadyRegistered');
  if (added === 'notFirst') throw new AppError('stepUpRequired');
  return { ...added, type, label, key_id: info.credential.id };
}

type RegistrationInfo = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

/**
 * The key that the ceremony made. We carry no attestation roots, so a statement
 * that does not verify is written down as such and does not refuse a good key.
 */
async function verify(
  relyingParty: RelyingParty,
  response: RegistrationResponseJSON,
  expectedChallenge: string,
): Promise<{ info: RegistrationInfo; attested: boolean }> {
  const check = async (candidate: RegistrationResponseJSON) => {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: candidate,
      expectedChallenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo) throw new Error('the attestation statement did not verify');
    return registrationInfo;
  };
  try {
    const info = await check(response);
    return { info, attested: info.fmt !== 'none' };
  } catch {
    const info = await check(withoutAttestation(response)).catch((cause: unknown) => {
      throw new AppError('attestationFailed', { cause });
    });
    return { info, attested: false };
  }
}

function withoutAttestation(response: RegistrationResponseJSON): RegistrationResponseJSON {
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
    const bare = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', attestation.get('authData')],
    ]);
    const attestationObject = isoBase64URL.fromBuffer(
      isoCBOR.encode(bare as Parameters<typeof isoCBOR.encode>[0]),
    );
    return { ...response, response: { ...response.response, attestationObject } };
  } catch (cause) {
    throw new AppError('attestationFailed', { cause });
  }
}
