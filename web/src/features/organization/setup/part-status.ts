import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import { toIso } from '../../../lib/times.ts';
import type { Status } from '../status-row.tsx';

/** A full check runs every few minutes; after an hour without one, something is wrong. */
const OVERDUE_MS = 60 * 60_000;

export const permissionsStatus = ({ missing, isPending }: OrganizationHealth['permissions']): Status =>
  missing.length > 0 || isPending ? 'wrong' : 'good';

/** An unknown version isn't a problem by itself. */
export const enterpriseServerStatus = (
  server: NonNullable<OrganizationHealth['enterpriseServer']>,
): Status => (server.isUnchecked || !server.hasMergeGroups ? 'unknown' : 'good');

export const webhooksStatus = ({ last, missed, silentSince }: OrganizationHealth['webhooks']): Status =>
  last === null || missed > 0 || silentSince !== null ? 'wrong' : 'good';

export const isOverdue = ({ at }: NonNullable<OrganizationHealth['sweep']>, now: number) =>
  now - Date.parse(toIso(at)) > OVERDUE_MS;

export const fullCheckStatus = (lastCheck: OrganizationHealth['sweep'], now: number): Status =>
  !lastCheck || lastCheck.faults.length > 0 || isOverdue(lastCheck, now) ? 'wrong' : 'good';
