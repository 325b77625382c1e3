import { generateRegistrationOptions, type RegistrationResponseJSON } from '@simplewebauthn/server';
import { authenticatorKinds, phoneOffer } from '../../contract/authenticator-kinds.ts';
import type {
  CreationOptions,
  RegistrationAnswer,
  RegistrationParamsAnswer,
  WebauthnType,
} from '../../contract/authenticators.ts';
import type { Person } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { comparisonOf } from '../comparison.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import type { NewCredential } from '../ports.ts';
import { assuredOf, requireAcceptedMethod, requireAssured } from '../require-assured.ts';
import { requireRegistrant } from '../require-registrant.ts';
import {
  CEREMONY_MS,
  consumeChallenge,
  descriptorOf,
  findChallenge,
  issueChallenge,
  userHandle,
} from '../step-up/challenges.ts';
import { type AdmissionProofs, admitRegistration, storeRegistration } from './admit-registration.ts';
import { modelOf } from './attestation.ts';
import { ALGORITHMS, type VerifiedRegistration, verifyRegistration } from './verify-registration.ts';

/**
 * Registers the passkey or security key that a ceremony created. What lets it in,
 * and whether it counts immediately, is up to `admitRegistration`.
 *
 * @throws AppError `alreadyRegistered`, `attestationFailed`, `unknownKey`, `notAccepted`, and
 *   the refusals of the challenge, the membership and the admission.
 */
export async function registerWebauthn(
  deps: AuthenticatorDeps,
  input: {
    person: Person;
    label: string;
    type: WebauthnType;
    orgID: number;
    response: RegistrationResponseJSON;
  } & AdmissionProofs,
): Promise<RegistrationAnswer> {
  const { person, response, label, type, orgID } = input;
  const org = await requireRegistrant(deps, person, orgID);
  const { policy } = await deps.policies.inForce(orgID);
  const admit = await admitRegistration(deps, { person, org, policy, proofs: input });
  const challenge = await findChallenge(deps.challenges, {
    clientDataJSON: response.response.clientDataJSON,
    purpose: 'register',
    userId: person.userId,
    orgId: orgID,
  });
  const requested = challenge.subject as { label: string; type: string };
  if (requested.label !== label || requested.type !== type) throw new AppError('challengeUnknown');
  await consumeChallenge(deps, challenge);
  const verified = await verifyRegistration(deps.relyingParty, response, challenge.challenge);
  const { userVerified } = verified.info;
  const key = keyOf(verified);
  requireAssured(deps, { ...assuredOf({ type, ...key }), userVerified }, { org, policy });
  const admission = await admit();

  const credential: NewCredential = { type, label, userId: person.userId, orgRecordId: org.id, ...key };
  const added = await storeRegistration(deps, {
    person,
    org,
    admission,
    authenticator: { type, label, key: credential },
    add: (holder, effects) => deps.credentials.add(credential, holder, admission, effects),
  });
  const answer = { ...added, type, label, key_id: credential.keyId };
  if (admission.order !== 'pending') return answer;
  const comparison = comparisonOf({ ...credential, id: added.id, nonce: admission.nonce });
  return { ...answer, pending: true, comparison };
}

function keyOf({ info, ...verified }: VerifiedRegistration) {
  return {
    keyId: info.credential.id,
    publicKey: Buffer.from(info.credential.publicKey).toString('base64url'),
    counter: info.credential.counter,
    transports: info.credential.transports ?? [],
    aaguid: info.aaguid,
    model: modelOf(info.aaguid),
    backupEligible: info.credentialDeviceType === 'multiDevice',
    backedUp: info.credentialBackedUp,
    ...verified,
  };
}

/**
 * The options for registering a passkey or security key of this person in this
 * organization: WebAuthn Level 3, section 5.4.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`, `notAccepted`.
 */
export async function registrationOptions(
  deps: AuthenticatorDeps,
  input: { person: Person; label: string; type: WebauthnType; orgID: number; device?: 'phone' | undefined },
): Promise<RegistrationParamsAnswer> {
  const { person, type, label, orgID, device } = input;
  const org = await requireRegistrant(deps, person, orgID);
  const { assurance } = (await deps.policies.inForce(orgID)).policy;
  requireAcceptedMethod(assurance, type, org.name);
  const registered = await deps.credentials.list(person.userId, org.id);
  const { selection, hints } = type === 'passkey' && device ? phoneOffer : authenticatorKinds[type].offer;
  const options = await generateRegistrationOptions({
    rpName: deps.relyingParty.name,
    rpID: deps.relyingParty.id,
    userName: `${person.login}@${org.name}/github`,
    userDisplayName: person.login,
    userID: userHandle(person.userId, orgID),
    timeout: CEREMONY_MS,
    attestationType: 'direct',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: registered.map(descriptorOf),
    authenticatorSelection: {
      ...selection,
      userVerification: assurance.userVerification === 'required' ? 'required' : 'discouraged',
    },
  });
  await issueChallenge(deps, {
    challenge: options.challenge,
    purpose: 'register',
    userId: person.userId,
    orgId: orgID,
    subject: { label, type },
  });
  return {
    challenge: options.challenge,
    userid: options.user.id,
    options: { ...(options as CreationOptions), hints },
  };
}
