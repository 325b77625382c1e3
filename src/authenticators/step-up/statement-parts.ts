import type { Organization } from '../../organizations/ports.ts';
import type { Session } from '../../people/ports.ts';
import type { Clock, Random } from '../../shared/clock.ts';

/** Who signs a statement, and for which organization. */
export type Parties = {
  person: Pick<Session, 'githubId' | 'login'>;
  org: Pick<Organization, 'orgId' | 'name'>;
};

/** What every signed statement says: where it was made, who signs it, for which organization, and when. `nonce` makes it unique. */
export function statementParts(
  { host, clock, random }: { host: string; clock: Clock; random: Random },
  { person, org }: Parties,
) {
  return {
    v: 1 as const,
    host,
    user: { id: person.githubId, login: person.login },
    org: { id: org.orgId, login: org.name },
    nonce: Buffer.from(random(16)).toString('base64url'),
    iat: Math.floor(clock.now().getTime() / 1000),
  };
}
