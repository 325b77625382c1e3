import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { RegistrationAnswer, WebauthnType } from '../../contract/authenticators.ts';
import type { Person } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { NewCredential } from '../ports.ts';
import { consumeChallenge, findChallenge } from '../step-up/challenges.ts';
import { comparisonOf } from '../vouch/comparison.ts';
import { modelOf } from './aaguid-model.ts';
import { type AdmissionProofs, admitRegistration } from './admit-registration.ts';
import { assuredOf, requireAssured } from './require-assured.ts';
import { requireRegistrant } from './require-registrant.ts';
import { type RegistrationDeps, storeRegistration } from './store-registration.ts';
import { type VerifiedRegistration, verifyRegistration } from './verify-registration.ts';

/**
 * Registers the passkey or security key that a ceremony created. What lets it in,
 * and whether it counts at once, is up to `admitRegistration`.
 *
 * @throws AppError `alreadyRegistered`, `attestationFailed`, `unknownKey`, `notAccepted`, and
 *   the refusals of the challenge, the membership and the admission.
 */
export async function registerWebauthn(
  deps: RegistrationDeps,
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
  const admit = await admitRegistration(deps, { person, org, policy, type, proofs: input });
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
  requireAssured(
    policy.assurance,
    { ...assuredOf({ type, ...key }), userVerified },
    { org: org.name, hasRoots: deps.relyingParty.hasAttestationRoots },
  );
  const admission = await admit();

  const credential: NewCredential = {
    type,
    label,
    userId: person.userId,
    orgRecordId: org.id,
    ...key,
  };
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

function keyOf({
  info,
  attested,
  modelVerified,
}: VerifiedRegistration): Omit<NewCredential, 'type' | 'label' | 'userId' | 'orgRecordId'> {
  return {
    keyId: info.credential.id,
    publicKey: Buffer.from(info.credential.publicKey).toString('base64url'),
    counter: info.credential.counter,
    transports: info.credential.transports ?? [],
    aaguid: info.aaguid,
    model: modelOf(info.aaguid),
    backupEligible: info.credentialDeviceType === 'multiDevice',
    backedUp: info.credentialBackedUp,
    attested,
    modelVerified,
  };
}
