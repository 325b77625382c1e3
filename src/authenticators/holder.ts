import type { Organization } from '../organizations/ports.ts';
import type { Person } from '../people/ports.ts';
import type { Holder } from './ports.ts';

/** A person as the holder of an authenticator in an organization. */
export function holderOf(person: Pick<Person, 'userId' | 'githubId' | 'login'>, org: Organization): Holder {
  return {
    userId: person.userId,
    githubId: person.githubId,
    login: person.login,
    org: { recordId: org.id, id: org.orgId, name: org.name },
  };
}
