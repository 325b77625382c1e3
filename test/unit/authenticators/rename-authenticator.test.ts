import { describe, expect, it } from '@jest/globals';
import { credentialSubject } from '../../../src/audit/subjects.ts';
import { renameAuthenticator } from '../../../src/authenticators/rename-authenticator.ts';
import { SoftwareAuthenticator } from '../../support/authenticator.ts';
import { codeOf } from '../../support/code-of.ts';
import { aCredential, FakeCredentials, FakeOrganizations, Stage } from '../../support/fakes.ts';

type Type = 'passkey' | 'security-key' | 'totp';

const org = {
  id: 'org',
  orgId: 9,
  name: 'octo-org',
  installationId: 5,
  accountType: 'Organization',
  suspended: false,
  htmlUrl: 'https://github.com/octo-org',
  membersAt: null,
} as const;
const session = { userId: 'mona', githubId: 11, login: 'mona' };

function world(type: 'passkey' | 'security-key', userId: string) {
  const stage = new Stage();
  const deps = { credentials: new FakeCredentials(stage), organizations: new FakeOrganizations(stage) };
  const key = new SoftwareAuthenticator('https://x.example');
  deps.credentials.stored.push(aCredential(key, { type, userId, orgRecordId: org.id }));
  deps.organizations.stored.push(org);
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
    const deps = world(type, userId);
    const input = { session, type: said, id: 'credential', label: 'Blue' };
    expect(await codeOf(renameAuthenticator(deps, input))).toBe(code);
    expect(deps.credentials.stored[0]?.label).toBe(code === 'passes' ? 'Blue' : 'Key');
    expect(deps.credentials.renamed).toHaveLength(code === 'passes' ? 1 : 0);
  });

  it('is logged with both labels, and its holder gets a notice', async () => {
    const deps = world('security-key', 'mona');
    await renameAuthenticator(deps, { session, type: 'security-key', id: 'credential', label: 'Blue' });
    const labels = { type: 'security-key', label: 'Blue', formerLabel: 'Key' };
    const MONA = { id: 11, login: 'mona' };
    expect(deps.credentials.renamed).toEqual([
      {
        activity: {
          activity: 'authenticatorRename',
          userId: 'mona',
          orgRecordId: org.id,
          data: { ...labels, login: 'mona', user: 'mona', org: org.name },
          subject: credentialSubject(deps.credentials.stored[0]?.keyId ?? ''),
          personFacts: { by: MONA, holder: MONA },
        },
        notices: [
          {
            kind: 'authenticatorRenamed',
            userId: 'mona',
            data: { ...labels, login: 'mona', by: 'mona', org: org.name },
          },
        ],
      },
    ]);
  });

  it('to the label that it already has changes nothing and notifies nobody', async () => {
    const deps = world('security-key', 'mona');
    await renameAuthenticator(deps, { session, type: 'security-key', id: 'credential', label: 'Key' });
    expect(deps.credentials.renamed).toEqual([]);
  });
});
