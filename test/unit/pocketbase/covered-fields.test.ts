import { describe, expect, it } from '@jest/globals';
import {
  COVERED_FIELDS,
  type CoveredCollection,
  coveredValues,
} from '../../../src/pocketbase/records/covered-fields.ts';

/** The fields that decide, in words of their own, so that none can be left out of the MAC unnoticed. */
const COVERED: Record<CoveredCollection, { always: string; added?: string }> = {
  approvals: {
    always:
      'repo_id pr base head org_id user_id login method user_verified statement assertion public_key authenticator withdrawn',
    added: 'aaguid model_verified from_outside batch',
  },
  webauthn: {
    always:
      'key_id user user.github_id org org.org_id type public_key counter transports aaguid backup_eligible backed_up attested',
    added: 'model_verified pending nonce enrolled added_with',
  },
  totps: { always: 'user_id user_id.github_id org_id org_id.org_id secret', added: 'enrolled added_with' },
  challenges: { always: 'challenge purpose user org_id subject expires' },
  vouches: {
    always:
      'credential public_key_sha256 org org.org_id holder_id voucher_id enrolled statement assertion public_key',
  },
  device_links: { always: 'hash user user.github_id org_id expires' },
  enrolment_addresses: { always: 'org org.org_id github_id address folded' },
  policies: {
    always: 'org org.org_id number policy by by_login',
    added: 'statement assertion public_key',
  },
  hooks: { always: 'org org.org_id kind host url secret' },
  merge_groups: { always: 'repo_id head base_sha base pr passed pull_head' },
  signing_keys: { always: 'number public_key secret' },
  commit_trees: { always: 'head tree' },
  pushers: { always: 'repo_id pr head github_id login is_machine' },
};

const old = { id: 'record' };
const collections = Object.keys(COVERED_FIELDS) as CoveredCollection[];
const cases = (part: 'always' | 'added') =>
  collections.flatMap((collection) =>
    (COVERED[collection][part]?.split(' ') ?? []).map((field) => [collection, field] as const),
  );

/** A record with this value; `org.org_id` is the field of a related record. */
function rowWith(field: string, value: unknown) {
  const [name = '', related] = field.split('.');
  return { ...old, ...(related ? { expand: { [name]: { [related]: value } } } : { [name]: value }) };
}

describe('the MAC of a record', () => {
  it.each([...cases('always'), ...cases('added')])('of %s covers %s', (collection, field) => {
    // Every type of field reads this value as another one than its default.
    expect(coveredValues(collection, rowWith(field, '1'))).not.toEqual(coveredValues(collection, old));
  });

  it.each(cases('added'))('of %s is as it was before there was %s, if that is empty', (collection, name) => {
    expect(coveredValues(collection, rowWith(name, ''))).toEqual(coveredValues(collection, old));
  });

  it.each(collections)('of %s covers nothing that this test doesn’t know', (collection) => {
    const { always, added = '' } = COVERED[collection];
    const everything = `${always} ${added}`.trim().split(' ');
    const whole = Object.assign({}, ...everything.map((field) => rowWith(field, '1')));
    expect(Object.keys(coveredValues(collection, whole))).toHaveLength(everything.length);
  });
});
