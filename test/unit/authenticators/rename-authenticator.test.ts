import { describe, expect, it } from '@jest/globals';
import { credentialSubject } from '../../../src/audit/subjects.ts';
import { renameAuthenticator } from '../../../src/authenticators/rename-authenticator.ts';
import { SoftwareAuthenticator } from '../../support/authenticator.ts';
import { codeOf } from '../../support/code-of.ts';
import { aCredential } from '../../support/fakes.ts';
import { mona, ORIGIN, world } from './world.ts';

type Type = 'passkey' | 'security-key' | 'totp';

const session = mona;

async function keyWorld(type: 'passkey' | 'security-key', userId: string) {
  const deps = await world();
  const key = new SoftwareAuthenticator(ORIGIN);
  deps.credentials.stored.push(aCredential(key, { type, userId, orgRecordId: deps.org.id }));
  return deps;
}

describe('renaming', () => {
  it.each<[what: string, said: Type, stored: 'passkey' | 'security-key', userId: string, code: string]>([
    ['one’s own security key', 'security-key', 'security-key', 'mona', 'passes'],
    ['the security key of somebody else', 'security-key', 'security-key', 'octocat', 'notYourAuthenticator'],
    ['a passkey under the name of a security key', 'security-key', 'passkey', 'mona', 'labelReadOnly'],
    ['a security key under the name of a passkey', 'passkey', 'security-key', 'mona', 'labelReadOnly'],
    ['a security key under the name of an app', 'totp', 'security-key', 'mona', 'labelReadOnly'],
  ])('%s (%s, in fact %s, of %s) ends with: %s', async (_what, said, type, userId, code) => {
    const deps = await keyWorld(type, userId);
    const input = { session, type: said, id: 'credential', label: 'Blue' };
    expect(await codeOf(renameAuthenticator(deps, input))).toBe(code);
    expect(deps.credentials.stored[0]?.label).toBe(code === 'passes' ? 'Blue' : 'Key');
    expect(deps.credentials.renamed).toHaveLength(code === 'passes' ? 1 : 0);
  });

  it('is logged with both labels, and its holder gets a notice', async () => {
    const deps = await keyWorld('security-key', 'mona');
    await renameAuthenticator(deps, { session, type: 'security-key', id: 'credential', label: 'Blue' });
    const labels = { type: 'security-key', label: 'Blue', formerLabel: 'Key' };
    const MONA = { id: 11, login: 'mona' };
    expect(deps.credentials.renamed).toEqual([
      {
        activity: {
          activity: 'authenticatorRename',
          userId: 'mona',
          orgRecordId: deps.org.id,
          data: { ...labels, login: 'mona', user: 'mona', org: 'octo-org' },
          subject: credentialSubject(deps.credentials.stored[0]?.keyId ?? ''),
          personFacts: { by: MONA, holder: MONA },
        },
        notices: [
          {
            kind: 'authenticatorRenamed',
            userId: 'mona',
            data: { ...labels, login: 'mona', by: 'mona', org: 'octo-org' },
          },
        ],
      },
    ]);
  });

  it('to the label that it already has changes nothing and notifies nobody', async () => {
    const deps = await keyWorld('security-key', 'mona');
    await renameAuthenticator(deps, { session, type: 'security-key', id: 'credential', label: 'Key' });
    expect(deps.credentials.renamed).toEqual([]);
  });
});
