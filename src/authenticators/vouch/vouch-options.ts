import { accountOf } from '../../audit/subjects.ts';
import type { VouchChallengeAnswer } from '../../contract/enrolment.ts';
import type { VouchStatement } from '../../contract/statement.ts';
import type { Organization } from '../../organizations/ports.ts';
import type { Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import { publicKeySha256 } from '../logged-credential.ts';
import { issueForKeys, statementParts } from '../step-up/challenges.ts';
import { drawnFor } from './comparison.ts';
import { findVouched, type Vouched } from './find-vouched.ts';

/** The subject of a vouch's challenge: the signed statement, and the record that it was signed for. */
export type VouchSubject = { statement: VouchStatement; authenticatorID: string };

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
  const known = (await deps.memberships.of(session.userId)).find((one) => one.org.id === org.id);
  if (!known) throw new AppError('notMember');
  const { policy } = await deps.policies.inForce(org.orgId);
  const voucher = { ...session, role: known.role };
  const found = await findVouched(deps, { org, policy, voucher, id: authenticatorID ?? '' });
  const { credential, holder } = found;
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
    subject: { statement, authenticatorID: credential.id } satisfies VouchSubject,
  });
  return { ...issued, statement, drawn: drawnFor(credential) };
}

/** Whether a signed statement is about this vouch: GitHub's ids and the key decide, names don't. */
export function isAbout(
  statement: VouchStatement,
  { relyingParty }: AuthenticatorDeps,
  { voucher, org, credential, holder }: Vouched & { voucher: Session; org: Organization },
): boolean {
  const signed = statement.credential;
  return (
    statement.host === relyingParty.origin &&
    statement.org.id === org.orgId &&
    statement.user.id === voucher.githubId &&
    signed.id === credential.keyId &&
    signed.publicKeySha256 === publicKeySha256(credential.publicKey) &&
    signed.holder.id === holder.githubId
  );
}
