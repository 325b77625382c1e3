/** The page on which a person's other device registers. Browsers send the fragment, and so the secret, to nobody. */
export function secondDeviceUrl(
  publicUrl: string,
  { org, orgID, secret }: { org: string; orgID: number; secret: string },
): string {
  return `${publicUrl}/second-device#${new URLSearchParams({ org, orgID: String(orgID), secret })}`;
}

/** The page that vouches for an authenticator: a path of the dashboard. */
export function vouchPath({ org, orgID, id }: { org: string; orgID: number; id: string }): string {
  return `/vouch?${new URLSearchParams({ org, orgID: String(orgID), authenticator: id })}`;
}
