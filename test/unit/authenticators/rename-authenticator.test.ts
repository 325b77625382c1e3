import { describe, expect, it } from '@jest/globals';
import { renameAuthenticator } from '../../../src/authenticators/rename-authenticator.ts';
import { SoftwareAuthenticator } from '../../support/authenticator.ts';
import { codeOf } from '../../support/code-of.ts';
import { aCredential, FakeCredentials, Stage } from '../../support/fakes.ts';

type Type = 'passkey' | 'security-key' | 'totp';

describe('renaming', () => {
  it.each<[what: string, said: Type, stored: 'passkey' | 'security-key', userId: string, code: string]>([
    ['one’s own security key', 'security-key', 'security-key', 'mona', 'passes'],
    ['the security key of somebody else', 'security-key', 'security-key', 'octocat', 'notYourAuthenticator'],
    ['a passkey under the name of a security key', 'security-key', 'passkey', 'mona', 'labelReadOnly'],
    ['a security key under the name of a passkey', 'passkey', 'security-key', 'mona', 'labelReadOnly'],
    ['a security key under the name of an app', 'totp', 'security-key', 'mona', 'labelReadOnly'],
  ])('%s (%s, in fact %s, of %s) ends with: %s', async (_what, said, type, userId, code) => {
    const credentials = new FakeCredentials(new Stage());
    credentials.stored.push(aCredential(new SoftwareAuthenticator('https://x.example'), { type, userId }));
    const session = { userId: 'mona', githubId: 11, login: 'mona' };
    const input = { session, type: said, id: 'credential', label: 'Blue' };
    expect(await codeOf(renameAuthenticator({ credentials }, input))).toBe(code);
    expect(credentials.stored[0]?.label).toBe(code === 'passes' ? 'Blue' : 'Key');
  });
});
