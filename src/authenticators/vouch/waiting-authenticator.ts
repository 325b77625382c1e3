import type { WaitingAuthenticator } from '../../contract/enrolment.ts';
import type { Organization } from '../../organizations/ports.ts';
import { vouchPath } from '../../shared/links.ts';
import type { Credential } from '../ports.ts';
import { comparisonOf } from './comparison.ts';

/** An authenticator that waits, as people see it. */
export function toWaiting(
  credential: Credential,
  { holder, org }: { holder: { id: number; login: string }; org: Organization },
): WaitingAuthenticator {
  const { id, type, label, model, created, pending } = credential;
  return {
    id,
    holder,
    type,
    label,
    model,
    since: created.toISOString(),
    comparison: comparisonOf(credential),
    waitsFor: pending === '' ? 'existing' : pending,
    page: vouchPath({ org: org.name, orgID: org.orgId, id }),
  };
}
