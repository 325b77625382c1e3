import { describe, expect, it } from '@jest/globals';
import { registrationEffects } from '../../../src/authenticators/effects.ts';

const mona = {
  userId: 'mona',
  githubId: 2,
  login: 'mona',
  org: { recordId: 'org', id: 9, name: 'octo-org' },
};
const FIRST = { order: 'first', enrolled: 'open' } as const;
const key = { type: 'security-key', label: 'Blue' } as const;

describe('the registration of an authenticator', () => {
  it('is logged, and notifies the holder and the given owners', () => {
    expect(registrationEffects(mona, key, { admission: FIRST, owners: ['octocat'] })).toEqual({
      activity: {
        activity: 'webauthnRegister',
        userId: 'mona',
        orgRecordId: 'org',
        data: { ...key, login: 'mona', user: 'mona', org: 'octo-org', enrolled: 'open' },
        personFacts: { by: { id: 2, login: 'mona' }, holder: { id: 2, login: 'mona' } },
      },
      notices: [
        {
          kind: 'authenticatorAdded',
          userId: 'mona',
          data: { ...key, login: 'mona', by: 'mona', org: 'octo-org', isOnly: true },
        },
        {
          kind: 'firstAuthenticator',
          userId: 'octocat',
          data: { ...key, login: 'mona', by: 'mona', org: 'octo-org' },
        },
      ],
    });
  });

  it('notifies a holder who is an owner only once', () => {
    const { notices } = registrationEffects(mona, key, { admission: FIRST, owners: ['mona'] });
    expect(notices.map(({ kind, userId }) => [kind, userId])).toEqual([['authenticatorAdded', 'mona']]);
  });
});
