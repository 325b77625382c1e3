import type { Account } from './github-objects.ts';

/** A role of an organization for its repositories (GitHub Enterprise: "REST API endpoints for custom repository roles"). */
type CustomRole = {
  id: number;
  name: string;
  description: string | null;
  base_role: string;
  permissions: string[];
  organization: Account;
  created_at: string;
  updated_at: string;
};

/** Lets its holders go around branch protection that doesn't bind administrators. */
export const BYPASS_PERMISSION = 'bypass_branch_protection';

export function createCustomRoles() {
  const roles = new Map<number, CustomRole>();
  const now = () => new Date().toISOString();
  let nextID = 8030;
  const set = (role: CustomRole) => {
    roles.set(role.id, role);
    return role;
  };
  return {
    of: (org: Account) => [...roles.values()].filter(({ organization }) => organization.id === org.id),
    add: (
      organization: Account,
      values: Pick<CustomRole, 'name' | 'description' | 'base_role' | 'permissions'>,
    ) => set({ ...values, id: nextID++, organization, created_at: now(), updated_at: now() }),
    change: (id: number, values: Partial<CustomRole>) => {
      const known = roles.get(id);
      return known && set({ ...known, ...values, id, updated_at: now() });
    },
    remove: (id: number) => void roles.delete(id),
  };
}
