import { describe, expect, test } from '@jest/globals';
import { dashboard, json, screen } from './dashboard.ts';
import { record } from './fake-record-store.ts';

const open = dashboard();
const meta = {
  'otp-guard:github': 'https://acme.ghe.com',
  'otp-guard:github-api': 'https://api.acme.ghe.com',
};
const sso =
  (header: string, status = 200, body: object = {}) =>
  () =>
    Response.json(body, { status, headers: { 'X-GitHub-SSO': header } });
const LIST = 'GET /user/installations';
const PARTIAL = sso('partial-results; organizations=21955855, 20582480');

describe.each(['/', '/select-org?target=/register'])('organizations behind sign-on, at %s', (address) => {
  test('are named with a link to it, on the configured GitHub', async () => {
    open(address, {
      person: { ...record, expand: {} },
      meta,
      network: {
        [LIST]: PARTIAL,
        'GET /user/21955855': json({ login: 'octodocs' }),
        'GET /user/20582480': sso(
          'required; url=https://acme.ghe.com/orgs/hidden/sso?authorization_request=a',
          403,
        ),
      },
    });
    const first = await screen.findByRole('link', { name: /Single sign-on for octodocs/ });
    const second = screen.getByRole('link', { name: /Single sign-on for hidden/ });
    expect([first, second].map((link) => link.getAttribute('href'))).toEqual([
      'https://acme.ghe.com/orgs/octodocs/sso',
      'https://acme.ghe.com/orgs/hidden/sso?authorization_request=a',
    ]);
    expect(document.body.textContent).toContain('Then log out of OTP Guard and sign in again.');
  });
});

test.each(
  [
    ['https://evil.example/orgs/a/sso', 'https://acme.ghe.com.evil.example/orgs/a/sso'],
    ['http://acme.ghe.com/orgs/a/sso', 'https://user@acme.ghe.com/orgs/a/sso'],
    ['https://acme.ghe.com/login/oauth/authorize?client_id=a', 'javascript:alert(1)//orgs/a/sso'],
    ['/orgs/a/sso'],
  ].flat(),
)('a page for single sign-on is no other link: %s', async (url) => {
  open('/', { meta, network: { [LIST]: PARTIAL, 'GET /user/21955855': sso(`required; url=${url}`, 403) } });
  await screen.findAllByText(/GitHub hides an organization until/);
  expect(screen.queryByRole('link', { name: /Single sign-on/ })).toBeNull();
});
