import type { FindingFacts } from '../contract/findings.ts';
import type { Installation, Registration } from '../organizations/ports.ts';

/** The permissions that the product can't work without, on any account and any server. */
export const EVERYWHERE = { checks: 'write', pull_requests: 'read', metadata: 'read' };
/** A personal account has no members and no merge queue. */
const IN_ORGANIZATIONS = { members: 'read', merge_queues: 'read' };
/** All that the App asks for; a test compares them with app.yml. */
export const NEEDED = { ...EVERYWHERE, ...IN_ORGANIZATIONS };
/** What the gate for deployments takes as well. It's optional. */
export const GATE = { actions: 'read', deployments: 'write' };
const LEVELS = ['read', 'write', 'admin'];

/** The wanted permissions that aren't granted at their level or a higher one, for example `checks` and `write`. */
export const missingIn = (granted: Record<string, string>, wanted: Record<string, string>) =>
  Object.entries(wanted)
    .map(([name, level]) => ({ name, level }))
    .filter(({ name, level }) => LEVELS.indexOf(granted[name] ?? '') < LEVELS.indexOf(level));

/** Tells whether these permissions are enough for the gate for deployments. */
export const canGate = (granted: Record<string, string> | null): boolean =>
  missingIn(granted ?? {}, GATE).length === 0;

/**
 * Which needed permissions the account hasn't granted, and whether the App
 * requests any that an owner hasn't accepted yet. An Enterprise Server may not
 * know merge groups: there the App can do without them. The gate for deployments is a finding of its own.
 */
export function permissionHealth(
  { account, permissions }: Installation,
  { permissions: requested, enterpriseServer }: Registration,
): FindingFacts['permissions'] {
  const hasMergeGroups = !enterpriseServer || 'merge_queues' in requested;
  const isOfGate = (name: string) => name in GATE && canGate(requested);
  const isPossible = ([name]: [string, string]) =>
    !isOfGate(name) &&
    (!(name in IN_ORGANIZATIONS) ||
      (account.type === 'Organization' && (name !== 'merge_queues' || hasMergeGroups)));
  const missingOf = (wanted: Record<string, string>) =>
    missingIn(permissions, Object.fromEntries(Object.entries(wanted).filter(isPossible)));
  return { missing: missingOf(NEEDED), isPending: missingOf(requested).length > 0 };
}
