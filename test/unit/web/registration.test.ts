import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { alertText, dashboard, fireEvent, json, refusal, screen, waitFor } from './dashboard.ts';
import { membership, record } from './fixtures.ts';

const open = dashboard();
const OF = 'owner=octo-org&ownerID=9919';
const organizations = { org_members_via_user: [membership('member')] };
const newcomer = { ...record, authenticators: {}, expand: organizations };

/** How the organization guards a first authenticator. */
const mode = (name: string) => {
  const guard = { mode: name, domains: [], vouchers: 'owners', vouchExistingBy: null, active: 0 };
  return { 'POST /organization-enrolment': json({ ...guard, own: [], mayVouch: false, waiting: [] }) };
};
const kinds = async () => {
  const list = await screen.findByRole('list');
  return [...list.querySelectorAll('strong')].map(({ textContent }) => textContent);
};

/** The browser's WebAuthn, with or without a platform authenticator. */
const install = (hasPlatform: boolean) => {
  const PublicKeyCredential = Object.assign(() => undefined, {
    isUserVerifyingPlatformAuthenticatorAvailable: async () => hasPlatform,
  });
  Object.assign(window, { PublicKeyCredential });
  Object.assign(globalThis, { PublicKeyCredential });
};
const uninstall = () => {
  Reflect.deleteProperty(window, 'PublicKeyCredential');
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
};

describe('the first authenticator', () => {
  beforeEach(() => install(true));
  afterEach(uninstall);

  test('is a passkey with a ready-made name, and the other kinds are a link away', async () => {
    open(`/register?${OF}`, { person: newcomer, network: mode('open') });
    const button = await screen.findByRole('button', { name: 'Register passkey' });
    const label = screen.getByText(/^Label:/);
    expect(label.textContent).toMatch(/^Label: Passkey/);
    // Nobody has to pass it on the way to the button.
    expect(button.compareDocumentPosition(label)).toBe(window.Node.DOCUMENT_POSITION_FOLLOWING);
    screen.getByText(/^Set up a passkey for/);
    expect(screen.queryByText('Step 1 of 2')).toBeNull();
    const others = screen.getByRole('link', { name: 'Other options' }).getAttribute('href') ?? '';
    open(others, { person: newcomer, network: mode('open') });
    expect(await kinds()).toEqual(['Passkey', 'Phone', 'Security key', 'Authenticator app']);
  });

  test('says for which pull request it is, and how many steps there are', async () => {
    const pull = `${OF}&installation=77&repo=hello&pr=1&head=${'a'.repeat(40)}`;
    const address = (redirect: string) => `/register?${pull}&redirectURL=${encodeURIComponent(redirect)}`;
    const toCollect = `/collect?${new URLSearchParams(pull)}`;
    const said = () => screen.getByText(/your device asks for your fingerprint, face or PIN\.$/).textContent;
    open(`/collect?${pull}`, { person: newcomer, network: mode('open') });
    await screen.findByText('Step 1 of 2');
    expect(said()).toMatch(
      /^Before you approve octo-org\/hello #1, set up a passkey\. It takes a few seconds:/,
    );
    // A vouch comes in between.
    open(`/collect?${pull}`, { person: newcomer, network: mode('vouched') });
    await screen.findByRole('button', { name: 'Register passkey' });
    expect([said(), screen.queryByText('Step 1 of 2')]).toEqual([expect.stringMatching(/^Before/), null]);
    // The address names another pull request than the one that comes next.
    open(address(toCollect.replace('pr=1', 'pr=2')), { person: newcomer, network: mode('open') });
    await screen.findByRole('button', { name: 'Register passkey' });
    expect(said()).toMatch(/^Set up a passkey for octo-org\. /);
  });

  test.each(['/register', '/register-passkey'])('is refused calmly on %s', async (path) => {
    const network = { 'POST /organization-enrolment': refusal('notMember') } as const;
    open(`${path}?${OF}&repo=hello&pr=1`, { person: newcomer, network });
    await screen.findByRole('button', { name: 'Use another account' });
    expect(screen.getByText(/^You're signed in as/).textContent).toBe(
      "You're signed in as octocat, who isn't a member of octo-org.",
    );
    const back = screen.getByRole('link', { name: 'Back to the pull request' });
    expect(back.getAttribute('href')).toBe('https://github.com/octo-org/hello/pull/1');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('can be a passkey on a phone, which the page explains from both sides', async () => {
    const { requests } = open(`/register-phone?${OF}`, { person: newcomer, network: mode('open') });
    await screen.findByText(/your browser shows a QR code/);
    screen.getByText(/scan it with the camera/);
    fireEvent.click(screen.getByRole('button', { name: 'Register phone' }));
    const call = 'POST /github-register-authenticator-params';
    await waitFor(() => expect(requests.map((one) => one.call)).toContain(call));
    expect(requests.find((one) => one.call === call)?.body).toMatchObject({
      ...{ type: 'passkey', device: 'phone', label: 'Phone' },
    });
  });

  test('is guarded as the organization asks for', async () => {
    open(`/register?${OF}`, { person: newcomer, network: mode('vouched') });
    await screen.findByText(
      /^An owner has to confirm your first passkey or security key before you can approve\./,
    );
    open(`/register?${OF}`, { person: newcomer, network: mode('email') });
    await screen.findByLabelText('Company address');
    expect(screen.queryByRole('button', { name: 'Register passkey' })).toBeNull();
  });
});

describe('a kind that isn’t possible here', () => {
  afterEach(uninstall);

  test('isn’t offered: no passkey on a device without one, no second app', async () => {
    install(false);
    open(`/register?${OF}`, { person: newcomer, network: mode('open') });
    expect(await kinds()).toEqual(['Security key', 'Phone', 'Authenticator app']);
    screen.getByText(/can't make a passkey here/);
    const enrolled = { ...newcomer, authenticators: { 9919: { totp: true, webauthn: [] } } };
    open(`/register?${OF}`, { person: enrolled });
    expect(await kinds()).toEqual(['Security key', 'Phone']);
    screen.getByText(/^You have an authenticator app here already\./);
  });

  test('leaves the one-time code in a browser without WebAuthn, or an explanation', async () => {
    open(`/register?${OF}`, { person: newcomer, network: mode('open') });
    await screen.findByLabelText('Code from the app');
    open(`/register?${OF}`, { person: newcomer, network: mode('vouched') });
    expect(await alertText()).toMatch(/^This browser doesn't support passkeys/);
    open(`/register-passkey?${OF}`, { person: newcomer, network: mode('open') });
    expect(await alertText()).toBe('WebAuthn is not supported in this browser');
  });
});

test('the bar names only an organization that the server knows', async () => {
  open('/authenticators?owner=your-bank&ownerID=1', { person: newcomer });
  await screen.findByText('Account:');
  expect(screen.queryByText('your-bank')).toBeNull();
  open('/authenticators?owner=OCTO-ORG', { person: newcomer });
  expect((await screen.findByText('Organization:')).parentElement?.textContent).toMatch(/octo-org/);
});

test.each(['/collect', '/collect-passkey', '/commit'])('an incomplete %s has a way on', async (path) => {
  open(path, { person: newcomer });
  await alertText();
  expect((await screen.findByRole('link', { name: 'Home' })).getAttribute('href')).toBe('/');
});
