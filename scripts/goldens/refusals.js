import { normalise, send, startWorld } from './world.js';

const SHA = 'ab'.repeat(20);
const ID = 'abcdefghijklmno';
const IMAGE = { name: 'abcdefghij0123456789', colors: Array(5).fill('#102030'), variant: 'marble' };
const MISSING = 'a'.repeat(43);

/** A valid body of each call, as far as its form; `?` after a name means that it may be left out. */
function bodies({ org, orgID, installation, repo, pull }) {
  const target = {
    installation,
    owner: org,
    ownerID: orgID,
    repo,
    pr: pull.number,
    head: pull.head.sha,
    'repoID?': 1,
  };
  const required = { installation, owner: org, ownerID: orgID, repo, pr: pull.number, head: pull.head.sha };
  const named = { org, orgID, 'accessToken?': '' };
  const registration = { label: 'A key', type: 'passkey', org, orgID };
  const assertion = { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' };
  const authResponse = {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    response: assertion,
    clientExtensionResults: {},
  };
  const pkCreds = { ...authResponse, response: { clientDataJSON: 'e30', attestationObject: 'AAAA' } };
  const emailCode = { email: 'mona@example.org', ts: 1, sig: MISSING, code: '000000' };
  const step = (type) => ({ 'stepUp?': { type, otp: '000000' } });
  return {
    '/github-register-authenticator-params': { ...registration, 'accessToken?': '' },
    '/github-register-passkey': {
      ...{ params: registration, pkCreds, ...step('register-authenticator'), 'emailCode?': emailCode },
      ...{ 'deviceLink?': MISSING, 'accessToken?': '' },
    },
    '/github-check-webauthn-params': { ...target, 'type?': 'webauthn', 'accessToken?': '' },
    '/github-check-webauthn': { params: required, authResponse, 'accessToken?': '' },
    '/approve-batch-params': { ...named, items: [required] },
    '/approve-batch': { ...named, authResponse },
    '/github-totp-check': { ...target, base: 'main', otp: '000000', 'accessToken?': '' },
    '/github-withdraw-approval': { ...target, 'accessToken?': '' },
    '/pull-changes': { ...target, 'accessToken?': '' },
    '/github-register-totp': {
      ...{ totpValue: '000000', totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEA', ...named },
      ...{ ...step('register-authenticator'), 'emailCode?': emailCode },
    },
    '/webauthn-challenge': {
      ...{ type: 'delete-authenticator', org, orgID, 'authenticatorID?': ID },
      ...{ 'memberID?': 1, 'policy?': { version: 1 } },
    },
    '/github-edit-authenticator': { type: 'passkey', id: ID, label: 'Another label' },
    '/lost-approvals': { type: 'passkey', id: ID, orgID, since: '2026-01-01T00:00:00Z' },
    '/github-precheck-email': { email: 'mona@example.org', 'orgID?': orgID },
    '/organization-enrolment': { 'org?': org, orgID },
    '/github-vouch': { ...named, authenticatorID: ID, ...step('vouch') },
    '/device-link': { ...named, ...step('register-authenticator') },
    '/github-confirm-email': emailCode,
    '/notice-choice': { 'choice?': 'off' },
    '/inbox': {
      ...{ 'accessToken?': '', 'tab?': 'for-you', 'order?': 'waiting', 'search?': '' },
      ...{ 'repository?': '', 'rule?': '', 'after?': '' },
    },
    '/personal-set-image': { orgID: 0, image: IMAGE },
    '/github-set-image': { orgID, image: IMAGE },
    '/organization': { orgID },
    '/organization-health': { orgID, 'after?': '', 'again?': false },
    '/github-preview-assurance': { ...named, assurance: { methods: ['passkey'] } },
    '/organization-authenticators': { orgID },
    '/organization-members': { orgID, state: 'all', 'search?': '', 'after?': '' },
    '/organization-pulls': {
      ...{ orgID, 'search?': '', 'repo?': repo, 'rule?': '', 'age?': 'any', 'after?': '' },
    },
    '/organization-repositories': { orgID, state: 'all', 'search?': '', 'after?': '', 'again?': false },
    '/organization-roll-out': { orgID },
    '/organization-statistics': { orgID },
    '/remind-members': { ...named, 'memberID?': 1 },
    '/end-member-sessions': { ...named, memberID: 1, ...step('end-sessions') },
    '/organization-policy': { ...named },
    '/github-set-policy': {
      ...named,
      policy: { version: 1 },
      'replaces?': MISSING,
      ...step('change-policy'),
    },
    '/github-try-policy': { ...named, policy: { version: 1 }, repo, pr: pull.number },
    '/github-preview-policies': { ...named, policies: [{ version: 1 }] },
    '/github-match-patterns': { ...named, 'repositories?': ['*'], 'branches?': ['main'], 'paths?': ['**'] },
    '/receipts': { owner: org, ownerID: orgID, repo, pr: pull.number, head: pull.head.sha, 'size?': 1 },
    '/receipts-export': {
      ...{ orgID, 'from?': '2026-01-01T00:00:00Z', 'to?': '2030-01-01T00:00:00Z', 'repo?': repo },
      ...{ 'commits?': [SHA], 'after?': '', 'accessToken?': '' },
    },
    '/log-export': {
      ...{ orgID, 'from?': '2026-01-01T00:00:00Z', 'to?': '2030-01-01T00:00:00Z' },
      ...{ 'after?': 1, 'accessToken?': '' },
    },
    '/organization-log': { orgID },
    '/organization-hooks': { orgID },
    '/set-hook': { ...named, kind: 'webhook', url: 'https://hooks.invalid/' },
    '/test-hook': { ...named, kind: 'webhook' },
    '/remove-hook': { ...named, kind: 'webhook' },
    '/logout': {},
  };
}

/** Another type than that of the value, which no field accepts as text. */
const wrongFor = (value) => (typeof value === 'object' ? 7 : { wrong: true });

/** The answers of each call to whoever may not make it, and to bodies that are wrong in one thing. */
export async function refusals() {
  const world = await startWorld();
  try {
    const pull = await world.openPull('a-change');
    const people = {};
    for (const login of ['octocat', 'mona', 'hubot', 'ghost']) people[login] = await world.signIn(login);
    const answers = {};
    const all = Object.entries(bodies({ ...world.facts, pull }));
    for (const [at, [path, fields]] of all.entries()) {
      // Two strangers, because one may make only 30 calls in an hour.
      const stranger = people[at % 2 ? 'hubot' : 'ghost'];
      answers[path] = await ofCall(world, { ...people, stranger }, path, fields);
    }
    answers['other requests'] = await ofOthers(world, await world.signIn('mona'));
    return `${normalise(world, JSON.stringify(answers, null, 1), { [pull.head.sha]: '{head}' })}\n`;
  } finally {
    await world.stop();
  }
}

async function ofCall(world, { octocat, mona, stranger }, path, fields) {
  const names = Object.keys(fields);
  const bodyFor = ({ accessToken }, change = {}) => {
    const values = names
      .filter((name) => !name.endsWith('?') || ['accessToken?', 'stepUp?'].includes(name))
      .map((name) => [name.replace('?', ''), name === 'accessToken?' ? accessToken : fields[name]]);
    return { ...Object.fromEntries(values), ...change };
  };
  const body = bodyFor(mona);
  const found = {};
  const note = async (name, sending) => {
    found[name] = shown(await sending);
  };
  const call = (...given) => world.call(path, ...given);
  await note('no token', call(body));
  await note('no token, and no body', call(undefined));
  await note('a bad token', call(body, { token: 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA' }));
  await note('no body', call(undefined, mona));
  await note('not JSON', call('{"a":', mona));
  await note('a list', call('[1]', mona));
  await note('too large', call({ ...body, more: 'x'.repeat(70_000) }, mona));
  await note('another type of content', call('<a/>', mona, { 'content-type': 'application/xml' }));
  await note('another origin', call(body, mona, { origin: 'https://evil.example' }));
  await note('another site', call(body, mona, { 'sec-fetch-site': 'cross-site' }));
  await note('GET', send(`${world.origin}${path}`, { headers: { authorization: mona.token } }));
  await note(
    'PUT',
    send(`${world.origin}${path}`, { method: 'PUT', headers: { authorization: mona.token } }),
  );
  for (const name of names) {
    const field = name.replace('?', '');
    const { [field]: _gone, ...without } = body;
    const isOptional = name.endsWith('?');
    if (!isOptional) await note(`without ${field}`, call(without, mona));
    await note(`${field} of another type`, call({ ...body, [field]: wrongFor(fields[name]) }, mona));
    if (!isOptional && typeof fields[name] === 'string')
      await note(`empty ${field}`, call({ ...body, [field]: '' }, mona));
  }
  const [first = ''] = names.filter((name) => !name.endsWith('?'));
  const { [first]: _first, ...rest } = body;
  const asForm = (values) =>
    new URLSearchParams(
      Object.entries(values).map(([name, one]) => [
        name,
        typeof one === 'object' ? JSON.stringify(one) : one,
      ]),
    ).toString();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  if (first) await note(`a form without ${first}`, call(asForm(rest), mona, form));
  if (first) await note(`without ${first}, for JSON`, call(rest, mona, { accept: 'application/json' }));
  if (first)
    await note(`without ${first}, for problems`, call(rest, mona, { accept: 'application/problem+json' }));
  if ('accessToken?' in fields) {
    await note('a bad GitHub token', call({ ...body, accessToken: 'gho_wrong' }, mona));
    await note("another person's GitHub token", call({ ...body, accessToken: octocat.accessToken }, mona));
  }
  if (path === '/logout') {
    await note('a member', call(body, mona));
    await note('after that', call(body, mona));
    return found;
  }
  await note('of another organization', call(bodyFor(stranger), stranger));
  await note('a member', call(body, mona));
  await note('a member, with an unknown field', call({ ...body, unknown: 1 }, mona));
  await note('an owner', call(bodyFor(octocat), octocat));
  return found;
}

/** Requests that aren't calls. */
async function ofOthers(world, mona) {
  const found = {};
  const others = [
    ...[
      'GET /healthz',
      'GET /readyz',
      'GET /metrics',
      'GET /_/',
      'GET /nothing/here',
      'POST /nothing',
      'POST /',
    ],
    ...['GET /api/settings', 'GET /api/collections', 'GET /api/logs', 'GET /api/backups', 'GET /api/health'],
    ...['POST /api/github/webhooks', 'GET /api/github/webhooks', 'GET /set-up', 'GET /assets/none.js'],
    `DELETE /api/collections/webauthn/records/${ID}`,
    `DELETE /api/collections/totps/records/${ID}`,
    ...[
      'gh_users',
      'webauthn',
      'totps',
      'gh_activities',
      'gh_commits',
      'organizations',
      'org_members',
    ].flatMap((name) => [
      `GET /api/collections/${name}/records`,
      `GET /api/collections/${name}/records/${ID}`,
      `POST /api/collections/${name}/records`,
      `PATCH /api/collections/${name}/records/${ID}`,
      `GET /api/collections/${name}/records?filter=id~"a"`,
      `GET /api/collections/${name}/records?expand=user`,
    ]),
    ...['_superusers', 'challenges', 'check_runs', 'policies', 'signing_keys'].map(
      (name) => `GET /api/collections/${name}/records`,
    ),
  ];
  for (const one of others) {
    const [method, path] = one.split(' ');
    const ask = (headers) =>
      send(`${world.origin}${encodeURI(path)}`, { method, headers, ...(method !== 'GET' && { body: '' }) });
    found[one] = shown(await ask({}));
    found[`${one}, signed in`] = shown(await ask({ authorization: mona.token }));
  }
  const hook = (headers) =>
    send(`${world.origin}/api/github/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });
  const named = { 'x-github-event': 'ping', 'x-github-delivery': '1' };
  found['a webhook without a signature'] = shown(await hook(named));
  found['a webhook with a wrong signature'] = shown(
    await hook({ ...named, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }),
  );
  return found;
}

/** A refusal in full; of another answer the names that its JSON has. A page is one word. */
function shown({ status, headers, text }) {
  const type = headers['content-type'] ?? 'no type';
  const isPage = type.startsWith('text/html');
  let said = isPage ? 'a page' : text;
  if (status < 300 && text.startsWith('{'))
    said = `names: ${Object.keys(JSON.parse(text)).sort().join(', ')}`;
  const more = headers['retry-after'] ? ', to be retried' : '';
  return `${status} ${type}${more}: ${said}`;
}
