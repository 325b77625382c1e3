import type { VouchStatement } from '../../contract/statement.ts';
import type { Organization } from '../../organizations/ports.ts';
import type { Session } from '../../people/ports.ts';
import type { Clock, Random } from '../../shared/clock.ts';
import { publicKeySha256 } from '../logged-credential.ts';
import type { Credential, RelyingParty } from '../ports.ts';
import { statementParts } from '../step-up/statement-parts.ts';

type Deps = { relyingParty: RelyingParty; clock: Clock; random: Random };
type Vouch = {
  voucher: Pick<Session, 'githubId' | 'login'>;
  org: Organization;
  credential: Credential;
  holder: { id: number; login: string };
};

/** What a person signs to vouch: that this key is this person's. */
export function makeVouchStatement(deps: Deps, vouch: Vouch): VouchStatement {
  const { voucher, org, credential, holder } = vouch;
  return {
    ...statementParts({ ...deps, host: deps.relyingParty.origin }, { person: voucher, org }),
    purpose: 'vouch',
    credential: { id: credential.keyId, publicKeySha256: publicKeySha256(credential.publicKey), holder },
  };
}

/** Whether a signed statement is about this vouch: GitHub's ids and the key decide, names don't. */
export function isAbout(
  statement: VouchStatement,
  { relyingParty, voucher, org, credential, holder }: Pick<Deps, 'relyingParty'> & Vouch,
): boolean {
  const signed = statement.credential;
  return (
    statement.host === relyingParty.origin &&
    statement.org.id === org.orgId &&
    statement.user.id === voucher.githubId &&
    signed.id === credential.keyId &&
    signed.publicKeySha256 === publicKeySha256(credential.publicKey) &&
    signed.holder.id === holder.id
  );
}
