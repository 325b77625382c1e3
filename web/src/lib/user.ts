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
  organizations: Organization[];
};

export type Organization = {
  orgId: number;
  name: string;
  /** GitHub's id of the installation; 0 where the app is not installed. */
  installationId: number;
};

/** What a person has registered in one organization. */
export type OwnAuthenticators = AuthenticatorMap[string];

type Membership = { expand?: { org?: { org_id?: number; name?: string; installation_id?: number } } };

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
      .flatMap(({ expand }) => {
        const { org_id: orgId, name = '', installation_id: installationId = 0 } = expand?.org ?? {};
        return orgId ? [{ orgId, name, installationId }] : [];
      })
      .sort((a, b) => a.name.localeCompare(b.name)),
  };
}

/** The person's authenticators in one organization, by its GitHub id. */
export const authenticatorsOf = (user: User, ownerID: string): OwnAuthenticators => ({
  totp: user.authenticators[ownerID]?.totp ?? false,
  webauthn: user.authenticators[ownerID]?.webauthn ?? [],
});
