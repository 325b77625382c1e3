import type { ComponentType } from 'react';
import { matchPath } from 'react-router-dom';
import { ApprovalPage } from '../features/approval/approval-page.tsx';
import { approvalPath, CollectPage } from '../features/approval/collect-page.tsx';
import type { Client } from '../lib/session/client.ts';
import { isOrganizationPage } from '../lib/session/preference.ts';
import { chunk } from './chunk.ts';

export type Route = {
  path: string;
  /**
   * `session`: signed-out people see the sign-in card in the page's place. `open`: everyone sees the page. `public`:
   * the page itself is about signing in and has no bar.
   */
  access: 'public' | 'open' | 'session';
  Page: ComponentType;
  /**
   * The width of the page and its bar, if it isn't a column: a table, the inbox next to the account, or an approval
   * with what helps to decide next to it.
   */
  width?: 'wide' | 'pair' | 'sides';
  /** The next address once the session was refreshed, if that's already known; null if it's shown itself. */
  redirect?: (client: Pick<Client, 'session'>, search: string) => string | null;
  /** Loads the page's code; a page without it is part of the entry. */
  load?: () => Promise<unknown>;
};

const account = () => import('./account-pages.ts');
const codeApproval = () => import('../features/approval/code-page.tsx');
const deployment = () => import('../features/deployment/deploy-page.tsx');
const enrolment = () => import('../features/enrolment/pages.ts');
const addDevice = () => import('../features/enrolment/add-device-page.tsx');
const home = () => import('./home-pages.tsx');
const images = () => import('../features/security-image/image-pages.tsx');
const organization = () => import('./organization-pages.ts');
const policy = () => import('../features/organization/policy/policy-page.tsx');
const registration = () => import('../features/registration/pages.ts');
const totpRegistration = () => import('../features/registration/register-totp-page.tsx');
const secondDevice = () => import('./second-device-route.tsx');
const signIn = () => import('../features/sign-in/pages.ts');
const verify = () => import('../features/verify/verify-page.tsx');

/** A lazily loaded page, which needs a session unless `access` says something else. */
const page = <Pages,>(
  path: string,
  load: () => Promise<Pages>,
  pick: (pages: Pages) => ComponentType,
  width?: Route['width'],
): Route => ({ path, access: 'session', ...(width && { width }), ...chunk(load, pick) });

/**
 * All pages. `/collect` and `/collect-passkey` are part of the entry, so that an approval needs no second round of
 * requests. All other pages are loaded lazily.
 */
export const routes: Route[] = [
  page('/', home, (pages) => pages.HomeRoute, 'pair'),
  { path: '/login', access: 'public', ...chunk(signIn, (pages) => pages.LoginPage) },
  { path: '/oauth', access: 'public', ...chunk(signIn, (pages) => pages.OauthPage) },
  { path: '/collect', access: 'session', width: 'sides', Page: CollectPage, redirect: approvalPath },
  { path: '/collect-passkey', access: 'session', width: 'sides', Page: ApprovalPage },
  page('/collect-totp', codeApproval, (pages) => pages.CodePage, 'sides'),
  page('/deploy', deployment, (pages) => pages.DeployPage),
  page('/approve-batch', home, (pages) => pages.BatchPage, 'wide'),
  page('/register', registration, (pages) => pages.RegisterPage),
  page('/register-passkey', registration, (pages) => pages.RegisterPasskeyPage),
  page('/register-phone', registration, (pages) => pages.RegisterPhonePage),
  page('/register-security-key', registration, (pages) => pages.RegisterSecurityKeyPage),
  page('/register-totp', totpRegistration, (pages) => pages.RegisterTotpPage),
  page('/waiting', enrolment, (pages) => pages.WaitingPage),
  page('/vouch', enrolment, (pages) => pages.VouchPage),
  page('/add-device', addDevice, (pages) => pages.AddDevicePage),
  { path: '/second-device', access: 'open', ...chunk(secondDevice, (pages) => pages.SecondDeviceRoute) },
  {
    path: '/authenticator-types',
    access: 'open',
    ...chunk(account, (pages) => pages.AuthenticatorTypesPage),
  },
  { path: '/verify', access: 'open', width: 'wide', ...chunk(verify, (pages) => pages.VerifyPage) },
  page('/authenticators', account, (pages) => pages.AuthenticatorsPage, 'wide'),
  page('/authenticator/:authType?/:authId?', account, (pages) => pages.AuthenticatorPage),
  page('/select-org', account, (pages) => pages.SelectOrganizationPage),
  page('/email', account, (pages) => pages.EmailPage),
  page('/image', images, (pages) => pages.ImagePage),
  page('/org/image', images, (pages) => pages.OrganizationImagePage),
  page('/commit', account, (pages) => pages.CommitPage),
  page('/org', organization, (pages) => pages.OrganizationHomePage),
  page('/org/pulls', organization, (pages) => pages.PullsPage),
  page('/org/members', organization, (pages) => pages.MembersPage),
  page('/org/roll-out', organization, (pages) => pages.RollOutPage),
  page('/org/repositories', organization, (pages) => pages.RepositoriesPage),
  page('/org/authenticators', organization, (pages) => pages.OrganizationAuthenticatorsPage),
  page('/org/policy', policy, (pages) => pages.PolicyPage),
  page('/org/log', organization, (pages) => pages.LogPage),
  page('/org/hooks', organization, (pages) => pages.WebhooksPage),
  page('/org/exports', organization, (pages) => pages.ExportsPage),
  page('*', account, (pages) => pages.NotFoundPage),
];

/** The frame of an organization's pages: its navigation. */
export const Desk = chunk(
  () => import('../features/organization/desk/desk.tsx'),
  (parts) => parts.Desk,
);

/** The sign-in card, shown instead of pages that need a session. */
export const Login = chunk(signIn, (pages) => pages.LoginCard);

/** The route of a path; the last one is for every path. */
export const routeOf = (pathname: string): Route | undefined =>
  routes.find(({ path }) => matchPath(path, pathname));

/** Starts to load the code of the page at this path. Resolves when it's there, or failed: the page then tries again. */
export async function preload(pathname: string, isSignedIn: boolean): Promise<void> {
  const route = routeOf(pathname);
  const parts = isSignedIn
    ? [route?.load, isOrganizationPage(pathname) ? Desk.load : undefined]
    : [Login.load];
  await Promise.allSettled(parts.map((load) => load?.()));
}
