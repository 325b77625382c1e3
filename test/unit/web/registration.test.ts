import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { alertText, dashboard, fireEvent, json, screen, waitFor } from './dashboard.ts';
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
    await screen.findByRole('button', { name: 'Register passkey' });
    expect(screen.getByText(/^Label:/).textContent).toMatch(/^Label: Passkey/);
    const others = screen.getByRole('link', { name: 'Other options' }).getAttribute('href') ?? '';
    open(others, { person: newcomer, network: mode('open') });
    expect(await kinds()).toEqual(['Passkey', 'Phone', 'Security key', 'Authenticator app']);
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
