import type { AuthenticatorMap } from '../../../../src/contract/authenticators.ts';
import type { SecurityImage } from '../../../../src/contract/image.ts';
import type { PageContext } from '../address/page-context.ts';

/** The signed-in person, from their record in `gh_users`. */
export type User = {
  id: string;
  username: string;
  githubId: number;
  /** The picture's address; empty if there is none. */
  avatar: string;
  /** The confirmed e-mail address; empty if there is none. */
  email: string;
  /** The personal security image; null if none was chosen. */
  image: SecurityImage | null;
  authenticators: AuthenticatorMap;
  organizations: Organization[];
};

export type Organization = {
  /** The record's id in `organizations`. */
  id: string;
  orgId: number;
  name: string;
  /** GitHub's id of the installation; 0 if the App isn't installed. */
  installationId: number;
  suspended: boolean;
  /** The organization's page on GitHub. */
  htmlUrl: string;
  /** The organization's security image; null if none was chosen. */
  image: SecurityImage | null;
  /** The person's role at the last refresh: a hint for the layout, never a permission. */
  role: 'admin' | 'member';
};

/** The person's authenticators in one organization. */
export type OwnAuthenticators = AuthenticatorMap[string];

type OrganizationRecord = {
  id?: string;
  org_id?: number;
  name?: string;
  installation_id?: number;
  suspended?: boolean;
  html_url?: string;
  image?: unknown;
};
type Membership = { role?: string; expand?: { org?: OrganizationRecord } };

/** Reads a user record. One from local storage may be older and lack fields. */
export function readUser(record: Record<string, unknown>): User {
  const expand = record.expand as { org_members_via_user?: Membership[] } | undefined;
  return {
    id: String(record.id ?? ''),
    username: String(record.username ?? ''),
    githubId: Number(record.github_id),
    avatar: String(record.avatar ?? ''),
    email: String(record.email ?? ''),
    image: readImage(record.image),
    authenticators: (record.authenticators as AuthenticatorMap | null | undefined) ?? {},
    organizations: (expand?.org_members_via_user ?? [])
      .flatMap(({ role, expand }) => (expand?.org?.org_id ? [readOrganization(expand.org, role)] : []))
      .sort((a, b) => a.name.localeCompare(b.name)),
  };
}

function readOrganization(record: OrganizationRecord, role: string | undefined): Organization {
  return {
    id: record.id ?? '',
    orgId: record.org_id ?? 0,
    name: record.name ?? '',
    installationId: record.installation_id ?? 0,
    suspended: record.suspended ?? false,
    htmlUrl: record.html_url ?? '',
    image: readImage(record.image),
    role: role === 'admin' ? 'admin' : 'member',
  };
}

/** The server validated the image when it was set; the store returns null if there is none. */
function readImage(value: unknown): SecurityImage | null {
  return typeof value === 'object' && value !== null && 'variant' in value ? (value as SecurityImage) : null;
}

/** The person's authenticators in one organization, by its GitHub id. */
export const authenticatorsOf = (user: User, ownerID: string): OwnAuthenticators => ({
  totp: user.authenticators[ownerID]?.totp ?? false,
  webauthn: user.authenticators[ownerID]?.webauthn ?? [],
});

/** The number of a person's authenticators in all organizations. */
export const countAuthenticators = ({ authenticators }: Pick<User, 'authenticators'>): number =>
  Object.values(authenticators).reduce((sum, { totp, webauthn }) => sum + webauthn.length + Number(totp), 0);

/**
 * The person's organization that the address names: by id if there is one, else by name in any case. Null if they don't
 * belong to it.
 */
export function findOrganization(
  { organizations }: Pick<User, 'organizations'>,
  { owner, ownerID }: Pick<PageContext, 'owner' | 'ownerID'>,
): Organization | null {
  const name = owner.toLowerCase();
  const isNamed = (organization: Organization) =>
    ownerID ? String(organization.orgId) === ownerID : organization.name.toLowerCase() === name;
  return organizations.find(isNamed) ?? null;
}

/** The query parameters of a page about this organization. */
export const organizationQuery = ({
  name,
  orgId,
  installationId,
}: Pick<Organization, 'name' | 'orgId' | 'installationId'>) => ({
  owner: name,
  ownerID: String(orgId),
  installation: String(installationId),
});

/** The organization that a page is about, as its address names it; the server checks both members. */
export type NamedOrganization = { org: string; orgID: string };

export const NO_OWNER_ID = 'No owner ID set, how did you get to this page?\nChoose an organization.';

/** Reads the organization from the address, or says what is missing. */
export function readNamedOrganization(
  { owner, ownerID }: PageContext,
  user: User,
): NamedOrganization | { missing: string } {
  if (!user.username) return { missing: 'Missing username\nSign out, then sign in again.' };
  if (!owner) return { missing: 'Missing organization\nChoose one of yours.' };
  if (!/^[1-9][0-9]{0,15}$/.test(ownerID))
    return { missing: 'missing organization id\nChoose one of yours.' };
  return { org: owner, orgID: ownerID };
}
