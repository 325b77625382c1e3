import { asStored, wellFormed } from './as-stored.ts';

/** A record as the store returns it, or as we're about to write it. */
export type Row = Readonly<Record<string, unknown>> & { id: string };

type ReadField = (row: Row, name: string) => unknown;

// The store fills in what a new record leaves out, so a field that is missing equals the store's default.
const text: ReadField = (row, name) => wellFormed(String(row[name] ?? ''));
const number: ReadField = (row, name) => Number(row[name] ?? 0);
const bool: ReadField = (row, name) => Boolean(row[name]);
const date: ReadField = (row, name) => (row[name] ? new Date(String(row[name])).toISOString() : '');
const json: ReadField = (row, name) => asStored(row[name] ?? null);
/** GitHub's id of the related person or organization, so that no other id can be put into their record. */
const githubId =
  (relation: string, name: string): ReadField =>
  (row) => {
    const expand = row.expand as Record<string, Record<string, unknown>> | undefined;
    return Number(expand?.[relation]?.[name] ?? 0);
  };

type Coverage = {
  fields: Record<string, ReadField>;
  /** The relations whose records the fields read. */
  expand?: string;
  /** The organization that the record claims, for the alert. */
  org(row: Row): { recordId?: string; orgId?: number };
};

/**
 * What the MAC of each collection covers: every field that decides. Labels,
 * names of repositories and times of use are left out, because they're for
 * display. The time of an approval is in its statement.
 */
export const COVERED_FIELDS = {
  approvals: {
    fields: {
      repo_id: number,
      pr: number,
      base: text,
      head: text,
      org_id: number,
      user_id: number,
      login: text,
      method: text,
      user_verified: bool,
      statement: json,
      assertion: json,
      public_key: text,
      authenticator: text,
      withdrawn: text,
      aaguid: text,
      model_verified: bool,
      from_outside: bool,
      batch: json,
    },
    org: (row) => ({ orgId: Number(row.org_id) }),
  },
  webauthn: {
    fields: {
      key_id: text,
      user: text,
      user_github_id: githubId('user', 'github_id'),
      org: text,
      org_github_id: githubId('org', 'org_id'),
      type: text,
      public_key: text,
      counter: number,
      transports: json,
      aaguid: text,
      backup_eligible: bool,
      backed_up: bool,
      attested: bool,
      model_verified: bool,
      pending: text,
      nonce: text,
      enrolled: text,
      added_with: text,
    },
    expand: 'user,org',
    org: (row) => ({ recordId: String(row.org) }),
  },
  totps: {
    fields: {
      user_id: text,
      user_github_id: githubId('user_id', 'github_id'),
      org_id: text,
      org_github_id: githubId('org_id', 'org_id'),
      secret: text,
      enrolled: text,
      added_with: text,
    },
    expand: 'user_id,org_id',
    org: (row) => ({ recordId: String(row.org_id) }),
  },
  challenges: {
    fields: { challenge: text, purpose: text, user: text, org_id: number, subject: json, expires: date },
    org: (row) => ({ orgId: Number(row.org_id) }),
  },
  vouches: {
    fields: {
      credential: text,
      public_key_sha256: text,
      org: text,
      org_github_id: githubId('org', 'org_id'),
      holder_id: number,
      voucher_id: number,
      enrolled: text,
      statement: json,
      assertion: json,
      public_key: text,
    },
    expand: 'org',
    org: (row) => ({ recordId: String(row.org) }),
  },
  device_links: {
    fields: {
      hash: text,
      user: text,
      user_github_id: githubId('user', 'github_id'),
      org_id: number,
      expires: date,
    },
    expand: 'user',
    org: (row) => ({ orgId: Number(row.org_id) }),
  },
  enrolment_addresses: {
    fields: {
      org: text,
      org_github_id: githubId('org', 'org_id'),
      github_id: number,
      address: text,
      folded: text,
    },
    expand: 'org',
    org: (row) => ({ recordId: String(row.org) }),
  },
  policies: {
    fields: {
      org: text,
      org_github_id: githubId('org', 'org_id'),
      number,
      policy: json,
      by: text,
      by_login: text,
      statement: json,
      assertion: json,
      public_key: text,
    },
    expand: 'org',
    org: (row) => ({ recordId: String(row.org) }),
  },
  hooks: {
    fields: {
      org: text,
      org_github_id: githubId('org', 'org_id'),
      kind: text,
      host: text,
      url: text,
      secret: text,
    },
    expand: 'org',
    org: (row) => ({ recordId: String(row.org) }),
  },
  merge_groups: {
    fields: {
      repo_id: number,
      head: text,
      base_sha: text,
      base: text,
      pr: number,
      passed: bool,
      pull_head: text,
    },
    org: () => ({}),
  },
  signing_keys: { fields: { number, public_key: text, secret: text }, org: () => ({}) },
  commit_trees: { fields: { head: text, tree: text }, org: () => ({}) },
  pushers: {
    fields: { repo_id: number, pr: number, head: text, github_id: number, login: text, is_machine: bool },
    org: () => ({}),
  },
} satisfies Record<string, Coverage>;

export type CoveredCollection = keyof typeof COVERED_FIELDS;

export const COVERED_COLLECTIONS = Object.keys(COVERED_FIELDS) as CoveredCollection[];

export const coverageOf = (collection: CoveredCollection): Coverage => COVERED_FIELDS[collection];

/** The values that the MAC of this record covers. */
export function coveredValues(collection: CoveredCollection, row: Row): Record<string, unknown> {
  const { fields } = coverageOf(collection);
  return Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(row, name)]));
}
