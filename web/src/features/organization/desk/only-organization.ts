const KEPT = ['owner', 'ownerID', 'installation'];

/** Changes to a query string that leave only the organization: a search belongs to its own page. */
export const onlyOrganization = (search: string): Record<string, null> =>
  Object.fromEntries(
    [...new URLSearchParams(search).keys()]
      .filter((name) => !KEPT.includes(name))
      .map((name) => [name, null]),
  );
