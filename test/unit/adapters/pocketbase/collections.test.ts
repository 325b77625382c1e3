import { describe, expect, it } from '@jest/globals';
import { DEFINITIONS } from '../../../../src/adapters/pocketbase/schema/collections.ts';

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
