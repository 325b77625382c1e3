// A large organization for the other benchmarks: the product over a filled record store and a local GitHub.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { startProduct } from '../dist/product.js';
import { readConfig } from '../dist/settings/config.js';
import { startLocalGitHub } from '../dist-demo/demo/local-github.js';
import { freePort } from '../scripts/free-port.js';
import { crowdOf, populate } from './populate.js';

const BUILT_DASHBOARD = fileURLToPath(new URL('../dist/web', import.meta.url));

/** Starts it; `onGitHub` is called with the local GitHub before the product starts. */
export async function startWorld(sizes, onGitHub = async () => {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-bench-'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const github = await startLocalGitHub({ port: 0, publicUrl: origin, crowd: sizes });
  let product;
  const stop = async () => {
    await product?.stop();
    await github.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await onGitHub(github);
    const crowd = await crowdOf(github.origin, github.facts.adminToken);
    console.log(
      `Populating: ${sizes.log} log entries, ${sizes.enrolled} of ${sizes.members} members enrolled …`,
    );
    await populate(dataDir, crowd, sizes);
    const config = readConfig({
      ...github.env,
      PORT: String(port),
      HOST: 'localhost',
      DATA_DIR: dataDir,
      PUBLIC_URL: origin,
    });
    product = await startProduct(config, {
      log: pino({ level: 'silent' }),
      dashboardDir: BUILT_DASHBOARD,
    });
    await product.firstRound;
    return { origin, github, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Signs in as a browser does: GitHub's sign-in page, then the exchange of its code. */
export async function signIn({ origin, github }, login) {
  const { oauth2 } = await get(origin, { token: '' }, '/api/collections/gh_users/auth-methods');
  const [provider] = oauth2.providers;
  const redirectURL = `${origin}/oauth`;
  const { searchParams } = new URL(`${provider.authURL}${encodeURIComponent(redirectURL)}`);
  const chosen = await fetch(`${github.origin}/login/oauth/callback`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      login,
      redirect_uri: redirectURL,
      scope: '',
      state: searchParams.get('state'),
      client_id: searchParams.get('client_id'),
    }),
  });
  const code = new URL(chosen.headers.get('location')).searchParams.get('code');
  const answer = { provider: 'github', code, codeVerifier: provider.codeVerifier, redirectURL };
  return post(origin, { token: '' }, '/api/collections/gh_users/auth-with-oauth2', answer);
}

/** The person's record with their organizations, and a new token. */
export function refresh(origin, session) {
  return post(origin, session, '/api/collections/gh_users/auth-refresh?expand=org_members_via_user.org', {});
}

export async function get(origin, session, path) {
  return read(path, await fetch(`${origin}${path}`, { headers: { authorization: session.token } }));
}

export async function post(origin, session, path, body) {
  const headers = {
    'content-type': 'application/json',
    ...(session.token && { authorization: session.token }),
  };
  return read(path, await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function read(path, answer) {
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Calls the local GitHub about a repository, as an administrator of it. */
export async function callAsAdmin({ origin, facts }, method, path, body, repo = facts.repo) {
  const { org, adminToken } = facts;
  const answer = await fetch(`${origin}/repos/${org}/${repo}${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
