import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { type VouchStatement, vouchStatement } from '../../contract/statement.ts';
import type { StepUp } from '../../contract/step-up.ts';
import type { Organization } from '../../organizations/ports.ts';
import { rereadRole } from '../../organizations/refresh-memberships.ts';
import { requireRole } from '../../organizations/require-role.ts';
import type { Person, Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import { holderOf, vouchEffects } from '../effects.ts';
import type { Challenge } from '../ports.ts';
import { assuredOf, requireAssured } from '../register/require-assured.ts';
import { consumeChallenge, findChallenge, requireHashOf } from '../step-up/challenges.ts';
import { requireProof } from '../step-up/step-up.ts';
import { verifyAssertion } from '../step-up/verify-assertion.ts';
import { findVouched, type Vouched } from './find-vouched.ts';
import { isAbout, type VouchSubject } from './vouch-options.ts';

/**
 * Makes a pending authenticator count by the word of somebody of the organization, who signed which key and
 * which person it is about; or, for a person's other device, by the person themselves.
 *
 * GitHub is asked first, so that an outage doesn't use up the challenge.
 *
 * @throws AppError with each refusal; nothing counts then.
 */
export async function vouch(
  deps: AuthenticatorDeps,
  input: { person: Person; orgID: number; authenticatorID: string; proof: StepUp | undefined },
): Promise<void> {
  const { person, orgID, authenticatorID } = input;
  const response = requireSigned(input.proof, authenticatorID);
  const { org, role } = await requireRole(deps, person, orgID);
  const { policy } = await deps.policies.inForce(orgID);
  const found = await findVouched(deps, { org, policy, voucher: { ...person, role }, id: authenticatorID });
  const { challenge, statement } = await findStatement(deps, { person, org, response, found });
  const holder = holderOf(await requireCurrentMember(deps, org, found), org);
  await consumeChallenge(deps, challenge);
  const { credential, userVerified } = await verifyAssertion(deps, {
    response,
    challenge,
    orgRecordId: org.id,
  });
  requireAssured(deps, { ...assuredOf(credential), userVerified }, { org, policy });
  const isOwn = found.holder.userId === person.userId;
  const proof = { statement, assertion: response, publicKey: credential.publicKey };
  const confirmed = await deps.vouches.confirm(
    found.credential,
    {
      enrolled: isOwn ? credential.enrolled : 'vouched',
      addedWith: isOwn ? credential.type : undefined,
      holder,
      voucher: { githubId: person.githubId, login: person.login },
      proof,
    },
    vouchEffects({
      holder,
      authenticator: found.credential,
      by: person,
      proof,
      owners: isOwn ? [] : await deps.memberships.ownersToNotify(org.id),
    }),
  );
  if (!confirmed) throw new AppError('alreadyDecided');
}

/** @throws AppError `stepUpRequired`, `otherStepUp`, and `vouchNeedsKey` for a one-time code. */
function requireSigned(sent: StepUp | undefined, authenticatorID: string): AuthenticationResponseJSON {
  const proof = requireProof(sent, 'vouch');
  if (!proof.webauthn) throw new AppError('vouchNeedsKey');
  if (proof.type !== 'vouch' || (proof.authenticatorID ?? authenticatorID) !== authenticatorID)
    throw new AppError('otherStepUp');
  return proof.webauthn as AuthenticationResponseJSON;
}

/** @throws AppError `challengeUnknown`, and `otherStepUp` if what was signed is about another key or person. */
async function findStatement(
  deps: AuthenticatorDeps,
  input: { person: Person; org: Organization; response: AuthenticationResponseJSON; found: Vouched },
): Promise<{ challenge: Challenge; statement: VouchStatement }> {
  const { person, org, response, found } = input;
  const challenge = await findChallenge(deps.challenges, {
    clientDataJSON: response.response.clientDataJSON,
    purpose: 'vouch',
    userId: person.userId,
    orgId: org.orgId,
  });
  const subject = challenge.subject as VouchSubject;
  const statement = vouchStatement.parse(subject.statement);
  requireHashOf(statement, challenge);
  const isSame =
    subject.authenticatorID === found.credential.id &&
    isAbout(statement, deps, { ...found, org, voucher: person });
  if (!isSame) throw new AppError('otherStepUp');
  return { challenge, statement };
}

/** @throws AppError `memberNotFound` if the holder is no member now, and no collaborator whose approvals a rule takes. */
async function requireCurrentMember(
  deps: AuthenticatorDeps,
  org: Organization,
  { holder }: Vouched,
): Promise<Session> {
  const current = await rereadRole(deps, org, holder);
  if (current === 'unknown') throw new AppError('memberNotFound');
  const person = { ...holder, login: current.login };
  if (current.role || (await deps.isWelcomeFromOutside?.(org, person))) return person;
  throw new AppError('memberNotFound');
}
