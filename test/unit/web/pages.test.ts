import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Secret } from 'otpauth';
import { problems } from '../../../src/contract/problems.ts';
import { NO_ACTIVITY } from '../../../web/src/features/organization/log/entry-text.ts';
import { recordStoreOf } from '../../../web/src/lib/react/record-store.ts';
import { CodeApp } from '../../support/authenticator.ts';
import {
  alertText,
  dashboard,
  fireEvent,
  json,
  list,
  type Network,
  refusal,
  routes,
  screen,
  waitFor,
  within,
} from './dashboard.ts';
import { membership, record, token } from './fixtures.ts';

const open = dashboard();
const OF = 'owner=octo-org&ownerID=9919&installation=77';
const HEAD = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const member = { ...record, expand: { org_members_via_user: [membership('member')] } };

const columns = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
const link = async (name: string | RegExp) =>
  (await screen.findByRole('link', { name })).getAttribute('href');
const callOf = (name: string) => `GET /api/collections/${name}/records`;

describe('without a session', () => {
  test('every page but five shows only the sign-in and makes no call', async () => {
    const closed = routes.filter(({ access }) => access === 'session').map(({ path }) => path);
    const isOpen = ({ path }: { path: string }) => !closed.includes(path);
    expect(routes.filter(isOpen).map(({ path }) => path)).toEqual([
      '/login',
      '/oauth',
      '/second-device',
      '/authenticator-types',
      '/verify',
    ]);
    for (const path of closed) {
      const { requests } = open(path.replace(/\/:.*/, '/totp/abcdefghijklmno').replace('*', '/nowhere'), {
        person: null,
      });
      await screen.findByRole('button', { name: 'Authenticate with GitHub' });
      expect(screen.getAllByRole('button')).toHaveLength(1);
      expect(screen.queryByRole('navigation')).toBeNull();
      expect(requests).toEqual([]);
    }
  });

  const stored = { pocketbase_auth: JSON.stringify({ token: token(1), record }) };
  const pull = `/collect?${OF}&repo=hello&pr=7&head=${HEAD}`;
  const serverTime = (hoursAgo: number): Network => ({
    'HEAD /': () =>
      new Response(null, { headers: { Date: new Date(Date.now() - hoursAgo * 3_600_000).toUTCString() } }),
  });

  test('after eight hours, it says why it asks to sign in, and for which pull request', async () => {
    const { requests } = open(pull, { person: null, local: stored, network: serverTime(0) });
    expect(await alertText()).toBe('Your sign-in has ended. It lasts eight hours, or until you sign out.');
    await screen.findByText("You'll continue with octo-org/hello #7.");
    expect(requests.map(({ call }) => call)).toEqual(['HEAD /']);
    open(pull.replace('hello', 'Call +1 555 now'), { person: null });
    await screen.findByRole('button', { name: 'Authenticate with GitHub' });
    expect(screen.queryByText(/You'll continue/)).toBeNull();
  });

  describe('opened by a link to an approval page', () => {
    const METHODS = 'GET /api/collections/gh_users/auth-methods';
    const LINE = 'Continuing to github.com to sign you in…';
    const navigate = (type: string) =>
      jest.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming]);
    const signIn = () => screen.findByRole('button', { name: 'Authenticate with GitHub' });
    afterEach(() => void jest.restoreAllMocks());

    test('it says where it goes and starts the sign-in, once; after an error only the button does', async () => {
      navigate('navigate');
      const network = { [METHODS]: refusal('storeUnavailable') };
      const { requests, client } = open(pull, { person: null, local: stored, network });
      await screen.findByText(LINE);
      await signIn();
      expect(screen.queryByRole('alert')).toBeNull();
      expect(requests).toEqual([]);
      expect(await alertText()).toBe(problems.storeUnavailable[1]);
      await signIn();
      expect(screen.queryByText(LINE)).toBeNull();
      expect(requests.map(({ call }) => call)).toEqual([METHODS]);
      const tried = { 'continued-at': client.tab.getItem('continued-at') ?? '' };
      open(pull, { person: null, tab: tried });
      await signIn();
      expect(screen.queryByText(LINE)).toBeNull();
    });

    test.each(['reload', 'back_forward'])('but not after a %s', async (type) => {
      navigate(type);
      open(pull, { person: null });
      await signIn();
      expect(screen.queryByText(LINE)).toBeNull();
    });

    test('but not after signing out on it, a sign-in that failed, or from another page', async () => {
      navigate('navigate');
      const { client } = open(pull);
      await screen.findByRole('button', { name: 'Account of octocat' });
      client.session.signOut(null);
      await signIn();
      expect(screen.queryByText(LINE)).toBeNull();
      const saved = { name: 'github', codeVerifier: 'v', returnTo: pull, savedAt: Date.now() };
      const providerInfo = JSON.stringify({ s: saved });
      open('/oauth?error=access_denied&state=s', { person: null, local: { providerInfo } });
      await alertText();
      expect(screen.queryByText(LINE)).toBeNull();
      open('/authenticators', { person: null });
      await signIn();
      expect(screen.queryByText(LINE)).toBeNull();
    });
  });

  test.each([
    [9, "This device's clock is 9 hours ahead."],
    [-1, "This device's clock is 1 hour behind."],
  ])('a clock that differs by %d hours is named', async (hours, text) => {
    open(pull, { person: null, local: stored, network: serverTime(hours) });
    await waitFor(async () => expect(await alertText()).toContain(text));
  });

  test('a return from GitHub shows that sign-in is in progress, and its code leaves the address', async () => {
    const never = () => new Promise<Response>(() => undefined);
    open('/oauth?code=code&state=state-1', {
      person: null,
      local: { providerInfo: JSON.stringify({ 'state-1': { codeVerifier: 'v', savedAt: Date.now() } }) },
      network: { 'POST /api/collections/gh_users/auth-with-oauth2': never },
    });
    await screen.findByText('Authenticating');
    expect(screen.queryByRole('button')).toBeNull();
    expect(window.location.href).not.toMatch(/code|state/);
  });
});

const accountButton = () => screen.findByRole('button', { name: 'Account of octocat' });
const pressInMenu = async (name: string) => {
  fireEvent.click(await accountButton());
  fireEvent.click(await screen.findByRole('button', { name }));
};
const signOutEverywhere = () => pressInMenu('Sign out everywhere');

describe('the account’s menu', () => {
  /** Opens the menu, with the focus in it. */
  const openMenu = async () => {
    const button = await accountButton();
    expect(button.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(button);
    const last = await screen.findByRole('button', { name: 'Sign out everywhere' });
    expect(button.getAttribute('aria-expanded')).toBe('true');
    last.focus();
    return button;
  };
  const isOpen = () => screen.queryByRole('button', { name: 'Logout' }) !== null;

  test('leads from every page to what is the person’s own, and to their organizations', async () => {
    open('/authenticator-types', { person: member });
    const { parentElement } = await openMenu();
    const links = Array.from(parentElement?.querySelectorAll('a') ?? [], (link) => [
      link.textContent,
      link.getAttribute('href'),
    ]);
    expect(links).toEqual([
      ['My Authenticators', '/authenticators'],
      ['E-mail', '/email'],
      ['Security image', '/image'],
      ['Manage octo-org', '/org?owner=octo-org&ownerID=9919&installation=77'],
      ['Sign out there, too', 'https://github.com/settings/sessions'],
    ]);
    fireEvent.click(screen.getByRole('link', { name: 'E-mail' }));
    await screen.findByRole('heading', { level: 1, name: 'E-mail' });
    await waitFor(() => expect(isOpen()).toBe(false));
  });

  test('closes on Escape, on a press outside and on its button, and returns the focus', async () => {
    open('/authenticator-types');
    const button = await openMenu();
    const isClosed = () =>
      waitFor(() => expect([isOpen(), document.activeElement === button]).toEqual([false, true]));
    fireEvent.pointerDown(screen.getByRole('button', { name: 'Logout' }));
    expect(isOpen()).toBe(true);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await isClosed();
    await openMenu();
    fireEvent.pointerDown(document.body);
    await isClosed();
    await openMenu();
    screen.getByRole('link', { name: 'Main Dashboard' }).focus();
    await waitFor(() => expect(isOpen()).toBe(false));
    await openMenu();
    fireEvent.click(button);
    expect(isOpen()).toBe(false);
  });

  test('signs out here even if the server doesn’t answer', async () => {
    const { client } = open('/authenticators', { network: { 'POST /logout': refusal('storeUnavailable') } });
    await pressInMenu('Logout');
    await screen.findByRole('button', { name: 'Authenticate with GitHub' });
    expect(client.session.getState().status).toBe('signed-out');
  });
});

test('signing out everywhere is confirmed once the server has ended all sessions', async () => {
  let answer = (_: Response) => {};
  const coming = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  const { client } = open('/', { network: { 'POST /logout': () => coming } });
  await signOutEverywhere();
  expect(client.session.getState().status).toBe('signed-in');
  answer(new Response('ok', { headers: { 'Content-Type': 'text/plain' } }));
  await screen.findByText("You're signed out: all your OTP Guard sessions have ended, on every device.");
  expect([client.session.getState().status, client.session.token()]).toEqual(['signed-out', '']);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('signing out everywhere says that it did not happen without an answer of the server', async () => {
  const { client } = open('/', { network: { 'POST /logout': refusal('storeUnavailable') } });
  await signOutEverywhere();
  expect(await alertText()).toBe("You're still signed in.");
  screen.getByText(problems.storeUnavailable[1]);
  expect(client.session.getState().status).toBe('signed-in');
});

test('a session that ended while the page was open is said so, and not as the call says it', async () => {
  open('/', { network: { 'POST /logout': refusal('missingAuthToken') } });
  await signOutEverywhere();
  expect(await alertText()).toBe('Your sign-in has ended. It lasts eight hours, or until you sign out.');
  screen.getByText('Sign in again to continue.');
  screen.getByRole('button', { name: 'Authenticate with GitHub' });
});

describe('an incomplete address', () => {
  const NO_OWNER_ID = 'No owner ID set, how did you get to this page?';
  const ALL = ['installation=77', 'owner=octo-org', 'ownerID=9919', 'repo=hello', 'pr=7'];
  const collect = (count: number) => `/collect-passkey?${ALL.slice(0, count).join('&')}`;

  test.each([
    ['/select-org', 'Missing target'],
    ['/select-org?target=https://evil.example', 'Missing target'],
    ['/org/authenticators', NO_OWNER_ID],
    ['/org/policy', NO_OWNER_ID],
    ['/org/repositories', 'Missing installation ID'],
    ['/org/image', 'Missing org name or ID'],
    ['/org/image?ownerID=9919', 'Missing org name or ID'],
    ['/register', 'Missing organization'],
    ['/register-totp', 'Missing organization'],
    ['/register-passkey?owner=octo-org', 'missing organization id'],
    ['/register-passkey?owner=octo-org&ownerID=0x9', 'missing organization id'],
    ['/waiting', 'Missing organization'],
    ['/vouch?owner=octo-org', 'missing organization id'],
    ['/add-device?ownerID=9919', 'Missing organization'],
    ['/second-device', 'Missing organization'],
    ['/authenticator/password/abcdefghijklmno', 'invalid authenticator type'],
    ['/authenticator/totp/a', 'invalid authenticator id'],
    ['/authenticator/totp', 'invalid authenticator id'],
    ['/collect', 'missing installation'],
    [collect(0), 'missing installation'],
    [collect(1), 'missing org'],
    [collect(2), 'missing organization id'],
    [collect(3), 'missing repo'],
    [collect(4), 'missing pr'],
    [collect(5), 'missing head'],
    ['/commit', 'missing org'],
    ['/commit?owner=octo-org&repo=hello&pr=7', 'missing head'],
    ['/oauth?code=code-1&state=state-1', 'missing login info'],
  ])('%s says “%s”, and what to do', async (address, sentence) => {
    open(address);
    expect(await alertText()).toBe(sentence);
    expect(screen.getByRole('alert').querySelectorAll('p')).toHaveLength(2);
  });

  test.each([
    ['/org?ownerID=424242', 'this organization'],
    ['/org?owner=acme', 'acme'],
    ['/org/image?owner=acme&ownerID=424242', 'acme'],
  ])('%s says calmly that the person isn’t a member, and what to do', async (address, organization) => {
    open(address);
    const button = await screen.findByRole('button', { name: 'Use another account' });
    screen.getByText(
      (_, element) =>
        element?.tagName === 'P' &&
        element.textContent === `You're signed in as octocat, who isn't a member of ${organization}.`,
    );
    screen.getByText(/^Ask an owner for access\./);
    screen.getByRole('link', { name: 'Choose an organization' });
    expect(screen.queryByRole('alert')).toBeNull();
    fireEvent.click(button);
    await screen.findByRole('button', { name: 'Authenticate with GitHub' });
  });

  test('a registration says that the person’s record has no username', async () => {
    open(`/register?${OF}`, { person: { ...record, username: '' } });
    expect(await alertText()).toBe('Missing username');
  });

  test('the e-mail page says that the person’s record has no id', async () => {
    open('/email', { person: { ...record, id: '' } });
    expect(await alertText()).toBe('missing model or missing auth token');
  });

  test('opens for an organization that it names without an id', async () => {
    const { requests } = open('/org/log?owner=Octo-Org');
    const asked = () => requests.find(({ call }) => call === 'POST /organization-log')?.body;
    await waitFor(() => expect(asked()).toMatchObject({ orgID: 9919 }));
    expect(screen.queryByText(/how did you get/)).toBeNull();
  });

  test('an unknown authenticator has an invalid id', async () => {
    const network = {
      'GET /api/collections/totps/records/aaaaaaaaaaaaaaa': () =>
        Response.json({ message: 'Not found' }, { status: 404 }),
    };
    open('/authenticator/totp/aaaaaaaaaaaaaaa', { network });
    expect(await alertText()).toBe('Invalid Authenticator ID');
  });
});

describe('what a browser without a connection could not load', () => {
  test.each([
    [`/collect-passkey?${OF}&repo=hello&pr=7&head=${HEAD}`, 'POST /github-check-webauthn-params'],
    ['/authenticators', callOf('webauthn')],
    ['/', 'POST /api/collections/gh_users/auth-refresh'],
  ])('is loaded again when it is back online: %s', async (address, call) => {
    const offline = () => Promise.reject(new TypeError('fetch failed'));
    const { requests } = open(address, { person: member, network: { [call]: offline } });
    const calls = () => requests.filter((one) => one.call === call).length;
    await screen.findByRole('button', { name: /^Try again/ });
    const before = calls();
    await waitFor(() => {
      // The page listens soon after it has rendered.
      window.dispatchEvent(new window.Event('online'));
      expect(calls()).toBeGreaterThan(before);
    });
  });
});

describe('an organization that is not in the stored session', () => {
  test('is not refused until the session is refreshed', async () => {
    let answer = (_: Response) => {};
    const coming = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    open('/org/log?owner=new-org&ownerID=5', {
      network: { 'POST /api/collections/gh_users/auth-refresh': () => coming },
    });
    await screen.findByRole('heading', { level: 1, name: 'Activity Log' });
    expect(screen.queryByRole('alert')).toBeNull();
    answer(refusal('storeUnavailable')());
    expect(await alertText()).toBe(problems.storeUnavailable[1]);
    screen.getByRole('button', { name: 'Try again' });
  });

  test('lets its member use single sign-on or another account', async () => {
    const { client } = open('/org/policy?owner=acme&ownerID=5', {
      network: {
        'POST /logout': json('ok'),
        'GET /user/installations': () =>
          Response.json(
            {},
            { headers: { 'X-GitHub-SSO': 'required; url=https://github.com/orgs/acme/sso' } },
          ),
      },
    });
    expect(await link(/^Single sign-on for acme/)).toBe('https://github.com/orgs/acme/sso');
    fireEvent.click(screen.getByRole('button', { name: 'Use another account' }));
    await screen.findByRole('button', { name: 'Authenticate with GitHub' });
    expect(client.tab.getItem('other-person')).toBe('true');
  });

  test.each([
    `/collect?${OF}&repo=hello&pr=7&head=${HEAD}`,
    '/',
    '/select-org?target=/org',
    `/register-totp?${OF}`,
  ])(
    'is explained by what the server says of the session, and not by the connection: %s',
    async (address) => {
      open(address, {
        person: { ...member, authenticators: {} },
        network: { 'POST /api/collections/gh_users/auth-refresh': refusal('githubUnavailable') },
      });
      expect(await alertText()).toBe(problems.githubUnavailable[1]);
      screen.getByRole('button', { name: 'Try again' });
    },
  );
});

describe('the log page', () => {
  const status = { size: 1204, checked: null, changed: null };
  const checked = { to: 1200, at: new Date().toISOString() };
  test.each([
    ['Log intact: 1,204 entries, last checkpoint 3 minutes ago', { checked }],
    ["1,204 entries, last checkpoint 3 minutes agoThis server hasn't compared", {}],
    ["Entry 17 of this log isn't as it was when it was added.", { checked, changed: 17 }],
    ["The end of this log isn't what this server signed", { size: 0, changed: 0 }],
    ['The log has no entries yet.', { size: 0 }],
  ])('tells a member “%s”, and offers no export', async (text, change) => {
    const at = new Date(Date.now() - 181_000).toISOString();
    const network = {
      'POST /organization-log': json({ ...status, at, ...change }),
      'GET /api/collections/gh_activities/records': list(),
    };
    open(`/org/log?${OF}`, { person: member, network });
    await waitFor(() => expect(document.body.textContent).toContain(text));
    expect(screen.queryByText('Export the log or receipts')).toBeNull();
  });
});

describe('around every page', () => {
  test('the bar links home and to the organization in the address, and keeps the query', async () => {
    open('/authenticators?owner=octo-org&ownerID=9919');
    expect(await link('Main Dashboard')).toBe('/?owner=octo-org&ownerID=9919');
    expect(await link('octo-org')).toBe('/org?owner=octo-org&ownerID=9919');
  });

  test('the bar says Account for a person whose record has no username', async () => {
    open('/', { person: { ...record, username: '' } });
    expect((await screen.findByRole('navigation', { name: 'OTP Guard' })).textContent).toContain(
      'Account:Account',
    );
  });
});

describe('the account', () => {
  test('links to the person’s own pages, each organization and the installation of another', async () => {
    const install = 'https://github.com/apps/otp-guard/installations/new';
    open('/', { meta: { 'otp-guard:install': install } });
    expect(await link('Manage octo-org')).toBe('/org?owner=octo-org&ownerID=9919&installation=77');
    expect(await link(/^Add New Organization/)).toBe(install);
    const to = screen.getAllByRole('link').map((one) => one.getAttribute('href'));
    expect(to).toEqual(expect.arrayContaining(['/authenticators', '/email', '/image']));
  });

  test('shows the info parameter only if it is one of the product’s own messages', async () => {
    open('/?info=Successfully+set+image');
    await screen.findByText('Successfully set image');
    open('/?info=Send+your+code+to+me');
    await screen.findAllByRole('heading', { name: 'Account' });
    expect(screen.queryByText(/Send your code/)).toBeNull();
  });

  test.each(['/email', '/select-org', `/org/image?${OF}`])(
    '%s shows the info parameter too, which its links leave behind',
    async (path) => {
      open(`${path}${path.includes('?') ? '&' : '?'}info=Successfully+set+image`);
      await screen.findByText('Successfully set image');
      for (const one of screen.getAllByRole('link')) expect(one.getAttribute('href')).not.toMatch(/info=/);
    },
  );
});

test('the choice of e-mails is saved as it is made, and stays as it was if it cannot be', async () => {
  const CALL = 'POST /notice-choice';
  const full = refusal('storeUnavailable');
  const answers = ['off', 'at-once', 'daily'].map((choice) => json({ choice, hasAddress: false }));
  const { requests } = open('/email', { network: { [CALL]: () => (answers.shift() ?? full)() } });
  await screen.findByText('You get none of these e-mails until you confirm an address.');
  fireEvent.click(screen.getByRole('radio', { name: 'Immediately' }));
  fireEvent.click(screen.getByRole('radio', { name: /^Once a day/ }));
  await screen.findByText('Saved.');
  fireEvent.click(screen.getByRole('radio', { name: 'Off' }));
  expect(await alertText()).toBe(problems.storeUnavailable[1]);
  expect((screen.getByRole('radio', { name: /^Once a day/ }) as HTMLInputElement).checked).toBe(true);
  const sent = requests.filter(({ call }) => call === CALL).map(({ body }) => body);
  expect(sent).toEqual([{}, { choice: 'at-once' }, { choice: 'daily' }, { choice: 'off' }]);
});

describe('a list of authenticators', () => {
  const key = {
    id: 'abcdefghijklmno',
    type: 'security-key',
    label: 'Blue key',
    created: '2026-05-04 09:14:03.123Z',
    user: record.id,
    expand: { org: { org_id: 9919, name: 'octo-org' }, user: { username: 'octocat' } },
  };
  const network: Network = {
    [callOf('webauthn')]: list(key),
    [callOf('totps')]: list(),
    'POST /organization-authenticators': json({ passkey: 0, 'security-key': 1, totp: 0 }),
  };

  test('shows a person’s own with the organization, the day and a link', async () => {
    open('/authenticators', { network });
    const query = '?owner=octo-org&ownerID=9919';
    expect(await link('Blue key')).toBe(`/authenticator/security-key/abcdefghijklmno${query}`);
    expect(columns()).toEqual(['Type', 'Authenticator', 'Org', 'Added', 'Last used']);
    expect(screen.getByText('2026-05-04').closest('time')?.title).toMatch(/^May 4, 2026, 9:14:03\sAM UTC$/);
    expect(await link(/^octo-org/)).toBe('https://github.com/octo-org');
    const register = '/select-org?redirectURL=%2Fauthenticators&target=%2Fregister';
    expect(await link('Register New Authenticator')).toBe(register);
  });

  test('shows an organization’s with their holders, and a registration returns to it', async () => {
    open(`/org/authenticators?${OF}`, { network });
    await screen.findByText('Blue key');
    expect(columns()).toEqual(['Type', 'Authenticator', 'User', 'Added']);
    expect(await link('Register New Authenticator')).toMatch(/redirectURL=%2Forg%2Fauthenticators%3F/);
  });
});

describe('the approvals of a commit', () => {
  const target = { owner: 'octo-org', repo: 'hello', head: HEAD };
  const shown = (changes: object[], owner = target.owner, of: Record<string, string> = { pr: '7' }) => {
    const proofs = changes.map((change, index) => ({
      ...{ id: `approval${index}`, login: `member-${index}`, method: 'totp', signature: 'server' },
      ...{ at: '2026-05-04T09:14:03.123Z', pr: 7, base: 'main', withdrawn: null, reason: null },
      deployment: null,
      ...{ enrolled: 'open', addedWith: null, vouchedBy: [], ...change },
    }));
    const answer = json({ receipts: proofs.map(() => ({ payload: '' })), proofs, without: [] });
    const address = `/commit?${new URLSearchParams({ ...target, owner, ...of })}`;
    const { requests } = open(address, { network: { 'POST /receipts': answer } });
    return () => requests.filter(({ call }) => call === 'POST /receipts').map(({ body }) => body);
  };

  test('are the newest five until the person shows all', async () => {
    shown(Array(6).fill({}));
    const all = await screen.findByRole('button', { name: 'Show all' });
    screen.getByText('6dcb09b5');
    expect(screen.getAllByRole('link', { name: /^member-\d$/ })).toHaveLength(5);
    fireEvent.click(all);
    expect(screen.getAllByRole('link', { name: /^member-\d$/ })).toHaveLength(6);
  });

  test('are those for every pull request of the repository, and say for which and when they were withdrawn', async () => {
    const bodies = shown([{ pr: 8, base: 'release' }, { withdrawn: '2026-05-05T09:14:03Z' }]);
    const [other, withdrawn] = await screen.findAllByText(/^member-/);
    expect(other?.closest('li')?.textContent).toContain('Approved for#8 into release');
    expect(other?.closest('li')?.textContent).not.toContain('Withdrawn');
    expect(withdrawn?.closest('li')?.textContent).toMatch(/Withdrawn .* ago: it doesn't count/);
    expect(bodies()).toEqual([{ ...target, ownerID: '9919', story: '7' }]);
  });

  test('name the deployment that they are about, also without a pull request', async () => {
    const deployment = { environment: 'release', run: 123, attempt: 2 };
    const ofRun = { deployment, pr: 0, base: 'v1.2.0' };
    const withdrawn = '2026-05-05T09:14:03Z';
    const bodies = shown(
      [
        { ...ofRun, withdrawn },
        { ...ofRun, reason: 'not on a Friday' },
      ],
      target.owner,
      {},
    );
    const rows = (await screen.findAllByText(/^member-/)).map((one) => one.closest('li')?.textContent);
    const where = 'run 123, attempt 2, of v1.2.0 to release';
    expect(rows[0]).toContain(`Approved for${where}`);
    expect(rows[0]).toMatch(/Approved for deployment\. Withdrawn .* ago: it doesn't count/);
    expect(rows[1]).toContain(`Rejected for${where}`);
    expect(rows[1]).toContain('Rejected for deployment. One-time code');
    expect(rows.join()).not.toContain('#0');
    expect(bodies()).toEqual([{ ...target, ownerID: '9919' }]);
    expect(await link('hello')).toBe(`https://github.com/octo-org/hello/commit/${HEAD}`);
  });

  test('say so if there are none, and ask nothing about an organization that the person doesn’t belong to', async () => {
    shown([]);
    expect(await screen.findAllByText('No OTP activity found for commit')).toHaveLength(1);
    const bodies = shown([{}], 'elsewhere');
    await screen.findByText('No OTP activity found for commit');
    expect(bodies()).toEqual([]);
  });
});

describe('the repositories of an installation', () => {
  const shown = (facts: object, search = OF) =>
    open(`/org/repositories?${search}`, {
      person: member,
      network: { 'GET /user/installations/77/repositories': json({ repository_selection: 'all', ...facts }) },
    });
  const hello = { name: 'hello', full_name: 'octo-org/hello', html_url: 'https://github.com/octo-org/hello' };

  test('say that only selected ones are shared', async () => {
    shown({ total_count: 1, repositories: [hello], repository_selection: 'selected' });
    expect(await screen.findAllByText('Selected repositories are shared.')).toHaveLength(1);
  });

  test('link to the selection on GitHub if there are none yet', async () => {
    shown({ total_count: 0, repositories: [] });
    const settings = 'https://github.com/organizations/octo-org/settings/installations/77';
    expect(await link(/^Connect your first repository with GitHub/)).toBe(settings);
  });

  test('may be unknown to GitHub right after the installation', async () => {
    const unknown = () => Response.json({ message: 'Not Found' }, { status: 404 });
    const network: Network = { 'GET /user/installations/78/repositories': unknown };
    open('/org/repositories?installation_id=78&setup_action=install', { network });
    await screen.findByText(/^Thanks for connecting to GitHub! Please refresh in a few minutes/);
    expect(screen.queryByRole('alert')).toBeNull();
    network['GET /user/installations/78/repositories'] = json({ total_count: 1, repositories: [hello] });
    open('/org/repositories?installation_id=78', { network: { ...network } });
    await screen.findByText('octo-org/hello');
  });

  test('can be filtered by part of their name, in any case', async () => {
    const repositories = Array.from({ length: 25 }, (_, index) => ({
      name: `r-${index}`,
      full_name: `octo-org/r-${index}`,
    }));
    shown({ total_count: 25, repositories });
    const filter = await screen.findByLabelText('Filter by name');
    fireEvent.change(filter, { target: { value: 'R-2' } });
    expect(screen.queryAllByText('6 of 25 repositories')).toHaveLength(1);
    fireEvent.change(filter, { target: { value: 'nowhere' } });
    screen.getByText('No repositories match.');
  });
});

test('the activity log groups entries by day, and each line links to the person on GitHub and to its subject', async () => {
  const entry = (id: number, created: string) => ({
    id: `entry${id}`,
    created,
    activity: 'totpCollect',
    data: { login: 'octocat', sha: HEAD, pr: 7, repo: 'hello' },
  });
  const day = (at: number) => `2026-05-0${at} 12:00:00.000Z`;
  const entries = list(entry(1, day(5)), entry(2, day(5)), entry(3, day(3)));
  open(`/org/log?${OF}`, { network: { 'GET /api/collections/gh_activities/records': entries } });
  const [first] = await screen.findAllByText(/^octocat$/, { selector: 'li bdi' });
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(2);
  expect(screen.getByLabelText('Person').getAttribute('dir')).toBe('auto');
  const row = within(first?.closest('li') ?? document.body);
  const [person, approval] = row.getAllByRole('link');
  expect(person?.getAttribute('href')).toBe('https://github.com/octocat');
  expect(approval?.textContent).toBe(`approved hello #7 at ${HEAD} with a one-time code`);
  expect(approval?.getAttribute('href')).toMatch(`/commit?head=${HEAD}&pr=7&repo=hello`);
});

test('only owners can choose the security image of an organization', async () => {
  open(`/org/image?${OF}`, { person: member });
  await screen.findByText(/set this image\.$/);
  expect(screen.queryByRole('button', { name: 'Set image' })).toBeNull();
  open(`/org/image?${OF}`);
  await screen.findByRole('button', { name: 'Set image' });
});

test('a registration says so if the server requires a step-up and the person has no authenticator', async () => {
  open(`/register-totp?${OF}`, {
    person: { ...record, authenticators: {} },
    network: { 'POST /github-register-totp': refusal('stepUpRequired') },
  });
  const field = await screen.findByLabelText('Code from the app');
  const secret = document.querySelector('code')?.textContent?.replace(/\s/g, '') ?? '';
  fireEvent.change(field, {
    target: { value: new CodeApp(Secret.fromBase32(secret).bytes).codeAt(Date.now()) },
  });
  await waitFor(async () => expect(await alertText()).toMatch(/^Step-up authentication required but no/));
});

describe('a log that isn’t live', () => {
  type Feed = { onerror?: () => void; connect: () => void };
  const feeds: Feed[] = [];
  class ManualFeed {
    listeners: ((event: object) => void)[] = [];
    constructor() {
      feeds.push(this);
    }
    addEventListener(name: string, listener: (event: object) => void) {
      if (name === 'PB_CONNECT') this.listeners.push(listener);
    }
    removeEventListener() {}
    close() {}
    connect() {
      for (const listener of this.listeners) listener({ lastEventId: 'feed', data: '{}' });
    }
  }
  const usual = () => Reflect.get(globalThis, 'EventSource');
  let before: unknown;

  beforeEach(() => {
    before = usual();
    Object.assign(globalThis, { EventSource: ManualFeed });
    feeds.splice(0);
  });
  afterEach(() => {
    Object.assign(globalThis, { EventSource: before });
  });

  const network = { 'GET /api/collections/gh_activities/records': json({ items: [] }) };
  const feedAt = async (at: number): Promise<Feed> => {
    await waitFor(() => expect(feeds[at]).toBeDefined());
    return feeds[at] as Feed;
  };

  test('says that it couldn’t connect, and what that means', async () => {
    open(`/org/log?${OF}`, { network });
    (await feedAt(0)).onerror?.();
    const line = await screen.findByText('Failed to establish realtime connection.');
    expect(line.nextSibling?.textContent).toMatch(/^New entries don't appear until the connection is back\./);
  });

  test('says that connecting takes too long', async () => {
    const { client } = open(`/org/log?${OF}`, { network });
    Object.assign(recordStoreOf(client).realtime, { maxConnectTimeout: 1 });
    expect(await screen.findByText('EventSource connect took too long.')).toBeTruthy();
  });

  test('says that the connection was lost, until it is back', async () => {
    open(`/org/log?${OF}`, { network });
    const first = await feedAt(0);
    first.connect();
    await screen.findByText(NO_ACTIVITY);
    await waitFor(() => {
      first.onerror?.();
      screen.getByText('Failed to establish realtime connection.');
    });
    const last = await feedAt(1);
    last.connect();
    await waitFor(() => expect(screen.queryByText('Failed to establish realtime connection.')).toBeNull());
  });
});
