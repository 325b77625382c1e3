import type { AuthenticatorMap } from '../../../src/contract/authenticators.ts';

/** The signed-in person, as their record in `gh_users` says. */
export type User = {
  id: string;
  username: string;
  /** Null in a record that GitHub's id has not reached yet. */
  githubId: number | null;
  /** Address of the picture; empty where there is none. */
  avatar: string;
  authenticators: AuthenticatorMap;
  organizations: { orgId: number; name: string }[];
};

type Membership = { expand?: { org?: { org_id?: number; name?: string } } };

/** Reads a record of the store, whose shape an older session in local storage may not have in full. */
export function readUser(record: Record<string, unknown>): User {
  const expand = record.expand as { org_members_via_user?: Membership[] } | undefined;
  return {
    id: String(record.id ?? ''),
    username: String(record.username ?? ''),
    githubId: typeof record.github_id === 'number' && record.github_id > 0 ? record.github_id : null,
    avatar: String(record.avatar ?? ''),
    authenticators: (record.authenticators as AuthenticatorMap | null | undefined) ?? {},
    organizations: (expand?.org_members_via_user ?? [])
      .flatMap(({ expand }) =>
        expand?.org?.org_id ? [{ orgId: expand.org.org_id, name: expand.org.name ?? '' }] : [],
      )
      .sort((a, b) => a.name.localeCompare(b.name)),
  };
}

/** The person's passkeys and security keys for one organization, by its GitHub id. */
export const webauthnOf = (user: User, ownerID: string) => user.authenticators[ownerID]?.webauthn ?? [];
