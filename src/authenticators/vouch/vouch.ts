import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { accountOf } from '../../audit/subjects.ts';
import type { VouchChallengeAnswer } from '../../contract/enrolment.ts';
import type { Policy } from '../../contract/policy.ts';
import type { VouchStatement } from '../../contract/statement.ts';
import type { StepUp } from '../../contract/step-up.ts';
import type { Organization, Role } from '../../organizations/ports.ts';
import { rereadRole } from '../../organizations/refresh-memberships.ts';
import { requireRole, storedMembership } from '../../organizations/require-role.ts';
import type { Person, Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { drawnFor } from '../comparison.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import { holderOf, readHolder, vouchEffects } from '../effects.ts';
import { publicKeySha256 } from '../logged-credential.ts';
import type { Credential } from '../ports.ts';
import { assuredOf, requireAssured } from '../require-assured.ts';
import { issueForKeys, statementParts } from '../step-up/challenges.ts';
import { requireProof } from '../step-up/step-up.ts';
import { requireAnswer } from '../step-up/verify-assertion.ts';
import { findUnvouched } from '../trusted-authenticators.ts';

/** A credential that a member is about to vouch for, and its holder. */
type Vouched = { credential: Credential; holder: Session };

/** The subject of a vouch's challenge: the signed statement, and the record that it was signed for. */
type VouchSubject = { statement: VouchStatement; authenticatorID: string };

/**
 * The statement about this key and its holder, and the WebAuthn request that lets the person sign it. The
 * role is the stored one: `vouch` asks GitHub.
 *
 * @throws AppError `notMember`, `missingAuthenticator`, and the refusals of `findVouched`.
 */
export async function vouchOptions(
  deps: AuthenticatorDeps,
  input: { session: Session; org: Organization; authenticatorID: string | undefined },
): Promise<VouchChallengeAnswer> {
  const { session, org, authenticatorID } = input;
  const known = await storedMembership(deps, session, org.orgId);
  if (!known) throw new AppError('notMember');
  const { policy } = await deps.policies.inForce(org.orgId);
  const voucher = { ...session, role: known.role };
  const { credential, holder } = await findVouched(deps, { org, policy, voucher, id: authenticatorID ?? '' });
  const statement: VouchStatement = {
    ...statementParts({ ...deps, host: deps.relyingParty.origin }, { person: session, org }),
    purpose: 'vouch',
    credential: {
      id: credential.keyId,
      publicKeySha256: publicKeySha256(credential.publicKey),
      holder: accountOf(holder),
    },
  };
  const issued = await issueForKeys(deps, {
    person: session,
    org,
    purpose: statement.purpose,
    statement,
    // The same key, registered again, is another record with other digits.
    about: { authenticatorID: credential.id },
  });
  return { ...issued, statement, drawn: drawnFor(credential) };
}

/**
 * Makes a pending authenticator count by the word of a member of the organization, who signed which key and
 * which person it is about; or, for a person's other device, by the person themselves.
 *
 * GitHub is asked first, so that an outage doesn't use up the challenge.
 *
 * @throws AppError with each refusal; nothing counts then.
 */
export async function vouch(
  deps: AuthenticatorDeps,
  input: { person: Person; orgID: number; authenticatorID: string; stepUp?: StepUp | undefined },
): Promise<void> {
  const { person, orgID, authenticatorID } = input;
  const response = requireSigned(input.stepUp, authenticatorID);
  const { org, role } = await requireRole(deps, person, orgID);
  const { policy } = await deps.policies.inForce(orgID);
  const found = await findVouched(deps, { org, policy, voucher: { ...person, role }, id: authenticatorID });
  const holder = holderOf(await requireCurrentMember(deps, org, found), org);
  const { credential, userVerified, signed } = await requireAnswer<VouchSubject>(deps, {
    person,
    org,
    purpose: 'vouch',
    response,
    isAbout: (subject) => isAbout(subject, deps, { ...found, org, voucher: person }),
  });
  requireAssured(deps, { ...assuredOf(credential), userVerified }, { org, policy });
  const isOwn = found.holder.userId === person.userId;
  const confirmed = await deps.vouches.confirm(
    found.credential,
    {
      enrolled: isOwn ? credential.enrolled : 'vouched',
      addedWith: isOwn ? credential.type : undefined,
      holder,
      voucher: { githubId: person.githubId, login: person.login },
      proof: signed,
    },
    vouchEffects({
      holder,
      authenticator: found.credential,
      by: person,
      proof: signed,
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

/**
 * Finds a credential of the organization that waits for this person's word.
 *
 * @param input.voucher The person and their role there.
 * @throws AppError `authenticatorNotFound`, `alreadyDecided`, `ownVouch`, `notVoucher`, and `otherDevice` for one
 *   that only its holder confirms.
 */
async function findVouched(
  deps: AuthenticatorDeps,
  input: { org: Organization; policy: Policy; voucher: Session & { role: Role }; id: string },
): Promise<Vouched> {
  const { org, policy, voucher, id } = input;
  const credential = await deps.credentials.find(id);
  if (credential?.orgRecordId !== org.id) throw new AppError('authenticatorNotFound');
  requireMayVouch(policy, voucher, credential);
  const isWaiting = credential.pending !== '' || (await findUnvouched(deps, policy, [credential])).length > 0;
  if (!isWaiting) throw new AppError('alreadyDecided');
  return { credential, holder: await readHolder(deps, credential) };
}

function requireMayVouch(policy: Policy, voucher: Session & { role: Role }, credential: Credential): void {
  const isHolder = credential.userId === voucher.userId;
  if (credential.pending === 'device') {
    if (!isHolder) throw new AppError('otherDevice');
    return;
  }
  if (isHolder) throw new AppError('ownVouch');
  if (!mayVouch(policy, voucher.role)) throw new AppError('notVoucher');
}

/** Tells whether the policy lets a person with this role vouch for others. */
export const mayVouch = ({ enrolment }: Policy, role: Role): boolean =>
  role === 'admin' || enrolment.vouchers === 'members';

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

/** Tells whether the signed statement is about this vouch: GitHub's ids, the key and its record decide, names don't. */
function isAbout(
  { statement, authenticatorID }: VouchSubject,
  { relyingParty }: AuthenticatorDeps,
  { voucher, org, credential, holder }: Vouched & { voucher: Session; org: Organization },
): boolean {
  const signed = statement.credential;
  return (
    authenticatorID === credential.id &&
    statement.host === relyingParty.origin &&
    statement.org.id === org.orgId &&
    statement.user.id === voucher.githubId &&
    signed.id === credential.keyId &&
    signed.publicKeySha256 === publicKeySha256(credential.publicKey) &&
    signed.holder.id === holder.githubId
  );
}
