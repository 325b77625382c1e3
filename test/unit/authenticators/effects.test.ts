import { describe, expect, it } from '@jest/globals';
import { registrationEffects } from '../../../src/authenticators/effects.ts';

const mona = { userId: 'mona', login: 'mona', org: { recordId: 'org', id: 9, name: 'octo-org' } };
const key = { type: 'security-key', label: 'Blue' } as const;

describe('the registration of an authenticator', () => {
  it('is logged, and notifies the holder and the given owners', () => {
    expect(registrationEffects(mona, key, ['octocat'])).toEqual({
      activity: {
        activity: 'webauthnRegister',
        userId: 'mona',
        orgRecordId: 'org',
        data: { ...key, login: 'mona', user: 'mona', org: 'octo-org' },
      },
      notices: [
        {
          kind: 'authenticatorAdded',
          userId: 'mona',
          data: { ...key, login: 'mona', by: 'mona', org: 'octo-org' },
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
    const { notices } = registrationEffects(mona, key, ['mona']);
    expect(notices.map(({ kind, userId }) => [kind, userId])).toEqual([['authenticatorAdded', 'mona']]);
  });

  it('of an authenticator app is logged as one', () => {
    const { activity } = registrationEffects(mona, { type: 'totp', label: 'mona@octo-org/github' }, []);
    expect(activity.activity).toBe('totpRegister');
  });
});
