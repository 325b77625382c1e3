import type { Clock, Random } from '../clock.ts';
import type { PolicyStatement } from '../contract/statement.ts';
import type { Organization } from '../organizations/ports.ts';
import type { Session } from '../people/ports.ts';
import type { RelyingParty } from './ports.ts';
import { statementParts } from './statement-parts.ts';

/** What an owner signs before a policy is put in force: this policy, for this organization. */
export function policyStatement(
  { relyingParty, clock, random }: { relyingParty: RelyingParty; clock: Clock; random: Random },
  input: { session: Session; org: Organization; policySha256: string },
): PolicyStatement {
  const { session, org, policySha256 } = input;
  return {
    ...statementParts({ host: relyingParty.origin, clock, random }, { person: session, org }),
    purpose: 'policy',
    policySha256,
  };
}
