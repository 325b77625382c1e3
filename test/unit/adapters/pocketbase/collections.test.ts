import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type CollectionName, DEFINITIONS } from '../../../../src/adapters/pocketbase/collections.ts';
import {
  COVERED_COLLECTIONS,
  type CoveredCollection,
  coveredValues,
} from '../../../../src/adapters/pocketbase/records/record-seals.ts';
import { SCHEMA } from '../../../../src/adapters/pocketbase/schema.ts';

const all = DEFINITIONS.map(([name, definition]) => ({ name, ...definition }));

describe('the definition of a collection', () => {
  // Types hold the names that MACs, expiries and people speak of; filters are texts.
  it.each(all)(
    'of $name has a MAC if it covers something, and each field that its filters compare',
    (one) => {
      const fields = one.fields.map(({ name }) => name);
      expect(fields.includes('mac')).toBe(one.mac !== null);
      // The rotation of the key reads only records with a MAC.
      expect(one.mac ?? []).toEqual(expect.arrayContaining([...(one.sealed ?? [])]));
      if (one.expires !== 'never' && one.expires.ofHead) expect(fields).toContain('head');
      for (const { filter } of typeof one.people === 'string' ? [] : one.people) {
        const compared = [...filter.matchAll(/(\w+)[\w.:]* (?:\?=|!?=)/g)].map(([, field]) => field);
        expect(compared.length).toBeGreaterThan(0);
        expect(fields).toEqual(expect.arrayContaining(compared));
      }
    },
  );

  it.each(all)('of $name says whom it names, if it relates to people or has a field for one', (one) => {
    const relations = one.fields.filter(({ collectionId }) => collectionId === 'pbc_gh_users');
    const isFor = ({ name }: { name: string }) =>
      /login|username|github_id|^author$|address|^user_id|^by(_|$)/.test(name);
    const hasPerson = relations.length > 0 || one.fields.some(isFor);
    expect(one.people === 'nobody' && hasPerson).toBe(false);
    const goesWithUser = relations.some(({ cascadeDelete, required }) => cascadeDelete && required);
    expect(one.people === 'user' && !goesWithUser).toBe(false);
  });
});

it('is that of its version in fixtures/schema: another one needs a new version', () => {
  const github = {
    ...{ clientId: 'id', clientSecret: 'secret' },
    ...{ serverUrl: 'https://github.com', apiUrl: 'https://api.github.com' },
  };
  const written = JSON.parse(readFileSync(`fixtures/schema/${SCHEMA.version}.json`, 'utf8'));
  // As text, undefined members are left out.
  expect(JSON.parse(JSON.stringify(SCHEMA.collections(github)))).toEqual(written);
});

const DAY_MS = 24 * 60 * 60_000;

/** How long records are kept that are deleted at all: those of a head for longer while a pull request has it. */
const KEPT: Partial<Record<CollectionName, [time: string, ms: number, more?: object]>> = {
  check_runs: [
    'since',
    90 * DAY_MS,
    { ofHead: true, only: ['phase = "pending" && attempt = 1', 'phase = "prepared" && attempt = 1'] },
  ],
  merge_groups: ['created', 30 * DAY_MS],
  pushers: ['created', 180 * DAY_MS, { ofHead: true }],
  initiators: ['created', 180 * DAY_MS, { ofPull: true }],
  commit_trees: ['created', 180 * DAY_MS],
  deployments: ['created', 90 * DAY_MS],
  reconcile_reports: ['created', DAY_MS],
  webhook_deliveries: ['created', 30 * DAY_MS],
  challenges: ['expires', 60 * 60_000],
  device_links: ['expires', 0],
  notices: ['created', 3 * DAY_MS],
  pull_notices: ['at', 180 * DAY_MS, { ofHead: true }],
  member_reminders: ['at', 90 * DAY_MS],
  email_codes: ['expires', 0],
  one_time_keys: ['expires', 0],
};
/** What a restore empties: a backup's challenge, link or code would look unused again. */
const EMPTIED: CollectionName[] = ['reconcile_reports', 'challenges', 'device_links', 'email_codes'];

it.each(all)('$name is kept for its time and survives a restore, or not', ({ name, expires, restored }) => {
  const [time, keptMs, more] = KEPT[name] ?? [];
  expect(expires).toEqual(time === undefined ? 'never' : { time, keptMs, ...more });
  expect(restored).toBe(EMPTIED.includes(name) ? 'emptied' : 'from-backup');
});

/** The fields that decide, in words of their own, so that none can be left out of the MAC unnoticed. */
const COVERED: Record<CoveredCollection, string> = {
  approvals:
    'repo_id pr base head org_id user_id login method user_verified statement assertion public_key authenticator withdrawn aaguid model_verified from_outside batch',
  webauthn:
    'key_id user user.github_id org org.org_id type public_key counter transports aaguid backup_eligible backed_up attested model_verified pending nonce enrolled added_with',
  totps: 'user_id user_id.github_id org_id org_id.org_id secret enrolled added_with',
  challenges: 'challenge purpose user org_id subject expires',
  vouches:
    'credential public_key_sha256 org org.org_id holder_id voucher_id enrolled statement assertion public_key',
  device_links: 'hash user user.github_id org_id expires',
  enrolment_addresses: 'org org.org_id github_id address folded',
  policies: 'org org.org_id number policy by by_login statement assertion public_key',
  hooks: 'org org.org_id kind host url secret',
  merge_groups: 'repo_id head base_sha base pr passed pull_head',
  deployments: 'repo_id run attempt environment org_id head ref event workflow',
  signing_keys: 'number public_key secret',
  commit_trees: 'head tree',
  pushers: 'repo_id pr head github_id login is_machine',
  initiators: 'repo_id pr github_id login',
  weakenings:
    'org org.org_id entry leaf_hash repo_id change about person_id by_id acknowledged acknowledged_by statement assertion public_key',
};

const empty = { id: 'record' };
const fieldsOf = (collection: CoveredCollection) => COVERED[collection].split(' ');
const cases = COVERED_COLLECTIONS.flatMap((collection) =>
  fieldsOf(collection).map((field) => [collection, field] as const),
);

/** A record with this value; `org.org_id` is the field of a related record. */
function rowWith(field: string, value: unknown) {
  const [name = '', related] = field.split('.');
  return { ...empty, ...(related ? { expand: { [name]: { [related]: value } } } : { [name]: value }) };
}

describe('the MAC of a record', () => {
  it.each(cases)('of %s covers %s', (collection, field) => {
    // Every type of field reads this value as another one than its default.
    expect(coveredValues(collection, rowWith(field, '1'))).not.toEqual(coveredValues(collection, empty));
  });

  it.each(COVERED_COLLECTIONS)('of %s covers nothing that this test doesn’t know', (collection) => {
    expect(Object.keys(coveredValues(collection, empty))).toHaveLength(fieldsOf(collection).length);
  });
});
