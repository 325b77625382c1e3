import { describe, expect, test } from '@jest/globals';
import { organizationOf } from '../web/organization-fixture.ts';
import { draw, load, show, textOf, user } from './dashboard.ts';

const organization = organizationOf();
const member = { ...user, organizations: [organization] };
const owner = { ...user, organizations: [organizationOf({ role: 'admin' })] };
const OF = 'owner=octo-org&ownerID=9919&installation=77';

/** What the banner of a page says. */
function alertOf(html: string): string {
  const [, sentence = ''] = /role="alert".*?<p>(.*?)<\/p>/s.exec(html) ?? [];
  return textOf(sentence).trim();
}

describe('around every page', () => {
  test('stands a bar with the way home, the account and the way out', async () => {
    const html = await show('/');
    expect(html).toContain('aria-label="Main Dashboard"');
    const text = textOf(html);
    for (const part of ['Main Dashboard', 'Account: octocat', 'Github Account', 'Logout'])
      expect(text).toContain(part);
  });

  test('the bar names the organization of the address and leads to it, with the query', async () => {
    const html = await show('/authenticators?owner=octo-org&ownerID=9919');
    expect(textOf(html)).toContain('Organization: octo-org Github Organization');
    expect(html).toContain('href="/org?owner=octo-org&amp;ownerID=9919"');
  });

  test('the bar says Account for a person without a name', async () => {
    const html = await show('/', { user: { ...user, username: '' } });
    expect(textOf(html)).toContain('Account: Account Github Account');
  });

  test('a footer says who made it', async () => {
    expect(textOf(await show('/'))).toMatch(/Made by the OTP Guard contributors $/);
  });

  test.each([
    '/',
    '/org',
    '/org/repositories',
    '/org/authenticators',
    '/org/log',
    '/org/image',
    '/authenticators',
    '/authenticator/totp/abcdefghijklmno',
    '/select-org',
    '/register',
    '/register-totp',
    '/register-passkey',
    '/register-security-key',
    '/collect',
    '/collect-passkey',
    '/collect-totp',
    '/commit',
    '/email',
    '/image',
    '/nowhere',
  ])('%s is for the signed-in alone: others get the one button', async (address) => {
    const html = await show(address, { user: null });
    expect(html.match(/<button/g)).toHaveLength(1);
    expect(textOf(html)).toContain('Authenticate with GitHub');
    expect(html).not.toContain('<nav');
  });
});

test('a return from GitHub shows that sign-in is in progress', async () => {
  const html = await show('/oauth?code=code&state=state', { user: null });
  expect(textOf(html)).toContain('Authenticating');
  expect(html).not.toContain('<button');
});

test('eleven parameters of an address are read', async () => {
  const { readPageContext } = await load('lib/page-context.ts');
  const names = [
    'installation',
    'repo',
    'owner',
    'ownerID',
    'pr',
    'url',
    'head',
    'headURL',
    'title',
    'redirectURL',
    'info',
  ];
  const given = Object.fromEntries(names.map((name) => [name, `${name} of the address`]));
  expect(readPageContext(`?${new URLSearchParams(given)}`)).toEqual(given);
});

describe('an address that lacks something', () => {
  test.each([
    ['/select-org', 'Missing target'],
    ['/select-org?target=https://evil.example', 'Missing target'],
    ['/org/repositories', 'Missing installation ID'],
    ['/org/repositories?installation=seven', 'Missing installation ID'],
    ['/org/image', 'Missing org name or ID'],
    ['/org/image?ownerID=9919', 'Missing org name or ID'],
    ['/register', 'Missing organization'],
    ['/register?owner=octo-org', 'missing organization id'],
    ['/register-totp', 'Missing organization'],
    ['/register-totp?owner=octo-org', 'missing organization id'],
    ['/register-passkey', 'Missing organization'],
    ['/register-passkey?owner=octo-org', 'missing organization id'],
    ['/register-security-key', 'Missing organization'],
    ['/register-security-key?owner=octo-org', 'missing organization id'],
    ['/authenticator/password/abcdefghijklmno', 'invalid authenticator type'],
    ['/authenticator/totp', 'invalid authenticator id'],
    ['/collect', 'missing installation'],
    ['/collect-passkey?installation=77', 'missing org'],
    ['/collect-totp?installation=77&owner=octo-org', 'missing organization id'],
    ['/commit', 'missing head'],
  ])('%s says: %s', async (address, text) => {
    expect(alertOf(await show(address, { user: member }))).toBe(text);
  });

  test.each(['/register', '/register-totp', '/register-passkey', '/register-security-key'])(
    '%s says what is missing of a person without a name',
    async (address) => {
      expect(alertOf(await show(`${address}?${OF}`, { user: { ...member, username: '' } }))).toBe(
        'Missing username',
      );
    },
  );

  test.each(['/org', '/org/authenticators', '/org/log'])('%s asks for an organization', async (address) => {
    expect(alertOf(await show(address, { user: member }))).toBe(
      'No owner ID set, how did you get to this page?',
    );
  });

  test.each(['/org', '/org/authenticators', '/org/log'])(
    '%s knows no organization but one’s own, once the session is fresh',
    async (address) => {
      const foreign = `${address}?owner=other-org&ownerID=2`;
      expect(alertOf(await show(foreign, { user: member }))).toBe('No org ID, this is a bug');
      expect(alertOf(await show(foreign, { user: member, fresh: 'pending' }))).toBe('');
    },
  );
});

describe('the account', () => {
  test('leads to what is the person’s own', async () => {
    const html = await show('/', { user: member });
    for (const path of ['/authenticators', '/email', '/image']) expect(html).toContain(`href="${path}"`);
  });

  test('leads to each organization with its ids, and to the installation of another', async () => {
    const html = await show('/', { user: member });
    expect(html).toContain('href="/org?owner=octo-org&amp;ownerID=9919&amp;installation=77"');
    expect(textOf(html)).toMatch(/Manage octo-org.*Add New Organization/);
    expect(html).toContain('href="https://github.com/apps/otp-guard/installations/new"');
  });

  test.each(['/', '/select-org?target=/register'])(
    'without an organization offers one: %s',
    async (address) => {
      const html = await show(address);
      expect(textOf(html)).toContain('No GitHub organizations enrolled yet. Add one');
      expect(html).toContain('href="https://github.com/apps/otp-guard/installations/new"');
    },
  );
});

describe('a list', () => {
  const authenticator = {
    id: 'abcdefghijklmno',
    type: 'security-key',
    label: 'Blue key',
    created: '2026-05-04 09:14:03.123Z',
    lastUsed: '',
    model: '',
    synced: false,
    keyId: 'key',
    userId: user.id,
    username: 'octocat',
    org: { orgId: '9919', name: 'octo-org' },
  };

  test('of one’s own authenticators has its columns, the day, and a link to each', async () => {
    const html = await show('/authenticators', { loaded: [authenticator] });
    expect(html.match(/<th scope="col">[^<]*/g)).toEqual(
      ['Type', 'Authenticator', 'Org', 'Added', 'Last used'].map((name) => `<th scope="col">${name}`),
    );
    expect(html).toContain(
      'href="/authenticator/security-key/abcdefghijklmno?owner=octo-org&amp;ownerID=9919"',
    );
    expect(html).toContain('title="2026-05-04 09:14:03 UTC">2026-05-04<');
    expect(html).toContain('href="https://github.com/octo-org"');
    expect(html).toContain('href="/select-org?redirectURL=%2Fauthenticators&amp;target=%2Fregister"');
  });

  test('of an organization’s authenticators has its columns, and comes back to itself', async () => {
    const read = { items: [authenticator], page: 1, more: false };
    const loaded = { webauthn: read, totps: { items: [], page: 1, more: false } };
    const html = await show(`/org/authenticators?${OF}`, { user: owner, loaded });
    expect(html.match(/<th scope="col">[^<]*/g)).toEqual(
      ['Type', 'Authenticator', 'User', 'Added'].map((name) => `<th scope="col">${name}`),
    );
    expect(html).toMatch(/href="\/register\?[^"]*redirectURL=%2Forg%2Fauthenticators%3F/);
  });

  test('of a commit’s approvals shows five, and a commit by eight characters', async () => {
    const loaded = Array.from({ length: 6 }, (_, at) => ({
      id: `activity${at}`,
      login: `member-${at}`,
      type: 'totp',
      label: '',
      at: '2026-05-04 09:14:03.123Z',
    }));
    const head = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
    const html = await show(`/commit?head=${head}&pr=7&repo=hello&owner=octo-org`, { user: member, loaded });
    expect(html).toContain('<code>6dcb09b5</code>');
    expect(html.match(/member-\d<\/bdi>|>member-\d</g)).toHaveLength(5);
    expect(textOf(html)).toContain('Show all');
  });

  test('of a commit’s approvals says that there is none', async () => {
    const address = '/commit?head=6dcb09b5&pr=7&repo=hello&owner=octo-org';
    expect(textOf(await show(address, { loaded: [] }))).toContain('No OTP activity found for commit');
  });

  test('of repositories says what is shared, or leads to the first', async () => {
    const { RepositoryList } = await load('features/organization/repositories/repository-list.tsx');
    const settings = 'https://github.com/organizations/octo-org/settings/installations/77';
    const listed = (found: object) =>
      draw(RepositoryList as never, { found, done: true, settings, mayChange: true });
    const hello = {
      name: 'hello',
      fullName: 'octo-org/hello',
      htmlUrl: 'https://github.com/octo-org/hello',
      isPrivate: false,
      archived: false,
    };
    const all = await listed({ total: 1, sharesAll: true, repositories: [hello] });
    expect(textOf(all)).toContain('All Repositories Shared');
    const some = await listed({ total: 1, sharesAll: false, repositories: [hello] });
    expect(textOf(some)).not.toContain('All Repositories Shared');
    const none = await listed({ total: 0, sharesAll: false, repositories: [] });
    expect(textOf(none)).toContain('Connect your first repository with GitHub');
    expect(none).toContain(`href="${settings}"`);
  });
});

describe('the activity log', () => {
  const entry = (id: number, at: string) => ({
    id: `entry${id}`,
    at,
    kind: 'totpCollect',
    login: 'octocat',
    avatar: '',
    data: { sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e', pr: 7, repo: 'hello' },
  });
  const at = (day: number) => `2026-05-0${day} 12:00:00.000Z`;

  test('groups its entries under days, links people and what they did, and leads on', async () => {
    const entries = [entry(1, at(5)), entry(2, at(5)), entry(3, at(4))];
    const loaded = { wanted: {}, entries, older: true };
    const html = await show(`/org/log?${OF}`, { user: member, loaded });
    expect(html.match(/<h2/g)).toHaveLength(2);
    expect(html.match(/<li[^>]*data-entry/g)).toHaveLength(3);
    // The day's time, the person, what they did, and how long ago.
    const [first = ''] = /<li[^>]*data-entry="entry1".*?<\/li>/s.exec(html) ?? [];
    expect(first.match(/<time/g)).toHaveLength(2);
    expect(first).toContain('href="https://github.com/octocat"');
    expect(first).toMatch(
      /href="\/commit\?head=6dcb09b5b57875f334f61aebed695e2e4193db5e&amp;pr=7&amp;repo=hello/,
    );
    expect(textOf(html)).toContain('Older entries');
  });
});

describe('a security image', () => {
  const image = { name: 'abcdefghijABCDEFGHIJ', colors: Array(5).fill('#000000'), variant: 'ring' } as const;

  test('of an organization is set by its owners, and shown to its members', async () => {
    const shown = (role: 'admin' | 'member') =>
      show(`/org/image?${OF}`, { user: { ...user, organizations: [organizationOf({ role, image })] } });
    expect(textOf(await shown('admin'))).toMatch(/marble beam pixel ring bauhaus.*Set image/);
    expect(textOf(await shown('member'))).not.toContain('Set image');
  });

  test('stands at the top of the page that asks for a key', async () => {
    const html = await show(`/collect-passkey?${OF}&repo=hello&pr=7&head=${'a'.repeat(40)}`, {
      user: { ...member, image },
    });
    expect(textOf(html)).toMatch(/Your security image.*Approve with passkey/);
  });
});

test('who comes from GitHub’s page of installation is asked for patience', async () => {
  const { JustConnected } = await load('features/organization/repositories/just-connected.tsx');
  expect(textOf(await draw(JustConnected as never, { onRefresh: () => undefined }))).toContain(
    'Thanks for connecting to GitHub! Please refresh in a few minutes to see your repositories',
  );
});

test('a registration that needs a step-up and has nothing for it says so', async () => {
  const { WizardCard } = await load('features/registration/wizard-card.tsx');
  const wizard = {
    state: 'needsAuthenticator',
    own: { totp: false, webauthn: [] },
    failed: false,
    stepUp: {},
  };
  const props = {
    title: 'Register passkey',
    organization: { org: 'octo-org', orgID: '9919' },
    wizard,
    error: null,
  };
  expect(alertOf(await draw(WizardCard as never, props as never))).toBe(
    'Step-up authentication required but no authenticators exist. Please register an authenticator before proceeding.',
  );
});

test('a further registration goes through two steps', async () => {
  const { WizardCard } = await load('features/registration/wizard-card.tsx');
  const stepUp = { preferCode: false, status: 'awaiting', error: null, lockedUntil: null };
  const wizard = {
    state: 'authenticating',
    own: { totp: false, webauthn: [{ id: 'key' }] },
    failed: false,
    stepUp,
  };
  const props = {
    title: 'Register passkey',
    organization: { org: 'octo-org', orgID: '9919' },
    wizard,
    error: null,
  };
  expect(textOf(await draw(WizardCard as never, props as never))).toMatch(
    /Authenticate.*Register.*Confirm with passkey/,
  );
});

test('the choice of authenticators has three, and leads to what they are', async () => {
  const html = await show(`/register?${OF}`, { user: member });
  expect(html.match(/href="\/(?:register-[a-z-]+|authenticator-types)/g)).toEqual([
    'href="/register-totp',
    'href="/register-passkey',
    'href="/register-security-key',
    'href="/authenticator-types',
  ]);
  expect(textOf(html)).toMatch(/TOTP.*Platform.*Security Key/);
});
