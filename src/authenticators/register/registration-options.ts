import { generateRegistrationOptions } from '@simplewebauthn/server';
import { authenticatorKinds } from '../../contract/authenticator-kinds.ts';
import type {
  CreationOptions,
  RegistrationParamsAnswer,
  WebauthnType,
} from '../../contract/authenticators.ts';
import type { Person } from '../../people/ports.ts';
import { issueChallenge } from '../step-up/challenges.ts';
import { CEREMONY_MS, descriptorOf } from '../step-up/request-options.ts';
import { requireAcceptedMethod } from './require-assured.ts';
import { requireRegistrant } from './require-registrant.ts';
import type { RegistrationDeps } from './store-registration.ts';
import { userHandle } from './user-handle.ts';
import { ALGORITHMS } from './verify-registration.ts';

/**
 * The options for registering a passkey or security key of this person in this
 * organization: WebAuthn Level 3, section 5.4.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`, `notAccepted`.
 */
export async function registrationOptions(
  deps: RegistrationDeps,
  input: { person: Person; label: string; type: WebauthnType; orgID: number },
): Promise<RegistrationParamsAnswer> {
  const { person, type, label, orgID } = input;
  const org = await requireRegistrant(deps, person, orgID);
  const { assurance } = (await deps.policies.inForce(orgID)).policy;
  requireAcceptedMethod(assurance, type, org.name);
  const existing = await deps.credentials.list(person.userId, org.id);
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
      ...authenticatorKinds[type].selection,
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
  return { challenge: options.challenge, userid: options.user.id, options: options as CreationOptions };
}
