import type { OrganizationHealth } from '../contract/organization-health.ts';
import type { Installation, Registration } from './ports.ts';

/** The permissions that the product can't work without. */
const NEEDED = {
  checks: 'write',
  pull_requests: 'read',
  metadata: 'read',
  members: 'read',
  merge_queues: 'read',
};
/** A personal account has no members and no merge queue. */
const ONLY_IN_ORGANIZATIONS = ['members', 'merge_queues'];
const LEVELS = ['read', 'write', 'admin'];

/**
 * Which needed permissions the account hasn't granted, and whether the App
 * requests any that an owner hasn't accepted yet. An Enterprise Server may not
 * know merge groups: there the App can do without them.
 */
export function permissionHealth(
  { account, permissions, settingsUrl }: Installation,
  { permissions: requested, enterpriseServer }: Registration,
): OrganizationHealth['permissions'] {
  const missingOf = (wanted: Record<string, string>) =>
    Object.entries(wanted)
      .filter(([name]) => account.type === 'Organization' || !ONLY_IN_ORGANIZATIONS.includes(name))
      .filter(([name, level]) => LEVELS.indexOf(permissions[name] ?? '') < LEVELS.indexOf(level));
  const { merge_queues, ...always } = NEEDED;
  const needed = enterpriseServer && !('merge_queues' in requested) ? always : { ...always, merge_queues };
  return {
    missing: missingOf(needed).map(([name, level]) => `${name}: ${level}`),
    isPending: missingOf(requested).length > 0,
    settingsUrl,
  };
}
