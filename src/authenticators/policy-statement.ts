import type { Clock, Random } from '../clock.ts';
import type { PolicyStatement } from '../contract/statement.ts';
import type { Organization } from '../organizations/ports.ts';
import type { Session } from '../people/ports.ts';
import type { RelyingParty } from './ports.ts';

/** What an owner signs before a policy is put in force: this policy, for this organization. */
export function policyStatement(
  { relyingParty, clock, random }: { relyingParty: RelyingParty; clock: Clock; random: Random },
  input: { session: Session; org: Organization; policySha256: string },
): PolicyStatement {
  const { session, org, policySha256 } = input;
  return {
    v: 1,
    purpose: 'policy',
    host: relyingParty.origin,
    org: { id: org.orgId, login: org.name },
    user: { id: session.githubId, login: session.login },
    policySha256,
    nonce: Buffer.from(random(16)).toString('base64url'),
    iat: Math.floor(clock.now().getTime() / 1000),
  };
}
