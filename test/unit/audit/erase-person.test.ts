import { describe, expect, it } from '@jest/globals';
import { type NamingEntry, namesPerson, withoutPeople } from '../../../src/audit/erase-person.ts';
import type { LogPerson } from '../../../src/contract/log-entry.ts';

const MONA = { githubId: 11, userId: 'mona-record', logins: new Set(['mona', 'mona-before']) };
const OCTOCAT = { id: 12, login: 'octocat' };

const entry = (change: Partial<NamingEntry>, facts: Partial<LogPerson['facts']> = {}): NamingEntry => ({
  data: { login: 'octocat', user: 'octocat' },
  userId: 'octocat-record',
  person: { data: {}, facts: { by: OCTOCAT, holder: OCTOCAT, ...facts } },
  salts: { event: 'e', person: 'p' },
  ...change,
});
const verdict = (by: string[]) =>
  ({ passed: true, rules: [{ name: '', enforced: true, met: true, missing: '', by }] }) as never;

describe('an entry of the log', () => {
  it.each<[string, NamingEntry]>([
    ['was made in their session', entry({ userId: 'mona-record' })],
    ['is by them', entry({}, { by: { id: 11, login: 'anything' } })],
    ['is about them', entry({}, { holder: { id: 11, login: 'anything' } })],
    ['counts their approval', entry({}, { verdict: verdict(['Mona']) })],
    ['has only a former login of theirs', entry({ data: { user: 'Mona-Before' }, person: null })],
  ])('names a person if it %s', (_what, named) => {
    expect(namesPerson(named, MONA)).toBe(true);
  });

  it.each<[string, NamingEntry]>([
    ['somebody else', entry({})],
    ['somebody else who has their login', entry({ data: { login: 'mona', user: 'mona' } })],
    ['another approver', entry({}, { verdict: verdict(['octocat']) })],
    ['nobody', entry({ data: null, userId: '', person: null })],
  ])('doesn’t name a person if it names %s', (_what, other) => {
    expect(namesPerson(other, { ...MONA, userId: '' })).toBe(false);
  });

  it('keeps nothing of an erased person, and its salt of the event', () => {
    const data = {
      ...{ login: 'mona', user: 'mona', label: 'Mona’s key', formerLabel: 'Old key' },
      ...{ pr: 7, repo: 'hello' },
    };
    expect(withoutPeople(entry({ userId: 'mona-record', data }), MONA)).toEqual({
      data: { pr: 7, repo: 'hello' },
      user_id: '',
      person: null,
      salts: { event: 'e', person: null },
    });
    expect(withoutPeople(entry({}), MONA).user_id).toBe('octocat-record');
  });
});
