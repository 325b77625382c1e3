import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CallPath } from '../../src/contract/calls.ts';
import type { Problem, ProblemCode } from '../../src/contract/problems.ts';
import { orgOf } from '../support/account.ts';
import { calls } from '../support/every-room.ts';
import { type Pull, type Session, startTestProduct, type TestProduct, targetOf } from '../support/product.ts';

// Every product call's refusals, to whom, and with which code. A call without a row fails the first test.

const ID = 'abcdefghijklmno';
const MISSING = 'a'.repeat(43);
const IMAGE = { name: 'abcdefghij0123456789', colors: Array(5).fill('#102030'), variant: 'marble' };
const REGISTRATION = { label: 'A key', type: 'passkey' };
const assertion = { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' };
const key = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} };
const authResponse = { ...key, response: assertion };
const pkCreds = { ...key, response: { clientDataJSON: 'e30', attestationObject: 'AAAA' } };
const emailCode = { email: 'mona@example.org', ts: 1, sig: MISSING, code: '000000' };
const stepUp = (type: string) => ({ stepUp: { type, otp: '000000' } });
const WEBHOOK = { kind: 'webhook' };
const TOTP = { totpValue: '000000', totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEA' };

type Refusal = ProblemCode | 'ok';
type Row = {
  /** Fields of a body that the call can read; each is refused if it has another type. */
  has?: ('org' | 'orgID' | 'target' | 'head' | 'params' | 'items' | 'run' | 'runParams')[];
  fields?: object;
  /** Whether the call acts at GitHub with the person's own token, and whether people may leave it out. */
  token?: 'required' | 'optional';
  /** The answer to a signed-in person who is no member of the organization, and to a member. */
  stranger: Refusal;
  member: Refusal;
  /** The refusal that an owner gets, if they get no answer. */
  owner?: Refusal;
  /** The refusal for an organization without the App, if it isn't that it has none. */
  elsewhere?: Refusal;
};

const NAMED: Row['has'] = ['org', 'orgID'];
const everyone = (code: Refusal) => ({ stranger: code, member: code, elsewhere: code });
const MEMBERS = { stranger: 'notMember', member: 'ok' } as const;
const NO_KEY = { stranger: 'missingAuthenticator', member: 'missingAuthenticator' } as const;
const OWNERS = { stranger: 'notOwner', member: 'notOwner' } as const;
const memberGets = (code: Refusal) => ({ stranger: 'notMember', member: code }) as const;
const ownerGets = (code: Refusal) => ({ ...OWNERS, owner: code });
/** A call about an organization that acts at GitHub with the person's own token. */
const named = (fields: object) => ({ has: NAMED, fields, token: 'required' }) as const;

const ROWS: Record<CallPath, Row> = {
  '/github-register-authenticator-params': { ...named(REGISTRATION), ...MEMBERS },
  '/github-register-passkey': {
    has: ['params'],
    fields: { pkCreds, ...stepUp('register-authenticator'), deviceLink: MISSING },
    token: 'required',
    ...memberGets('challengeUnknown'),
  },
  '/github-check-webauthn-params': {
    has: ['target'],
    token: 'optional',
    ...memberGets('missingAuthenticator'),
  },
  '/github-check-webauthn': {
    has: ['params'],
    fields: { authResponse },
    token: 'required',
    ...everyone('challengeUnknown'),
  },
  '/approve-batch-params': { has: ['org', 'orgID', 'items'], token: 'optional', ...NO_KEY },
  '/approve-batch': { has: NAMED, fields: { authResponse }, ...everyone('challengeUnknown') },
  '/github-totp-check': {
    has: ['target'],
    fields: { base: 'main', otp: '000000' },
    token: 'required',
    ...memberGets('missingAuthenticator'),
  },
  '/deny-params': {
    has: ['target'],
    fields: { reason: 'It drops a table.' },
    token: 'optional',
    ...memberGets('missingAuthenticator'),
  },
  '/deny': {
    has: ['params'],
    fields: { reason: 'It drops a table.', authResponse },
    token: 'required',
    ...everyone('challengeUnknown'),
  },
  '/set-aside-denial': {
    ...named({ denial: ID, reason: 'It was fixed.', ...stepUp('set-aside-denial') }),
    ...ownerGets('denialNotFound'),
  },
  '/deploy-params': { has: ['run'], token: 'optional', ...memberGets('deploymentNotFound') },
  '/deploy-check': {
    has: ['runParams'],
    fields: { authResponse },
    token: 'required',
    ...everyone('challengeUnknown'),
  },
  '/github-withdraw-approval': { has: ['target'], token: 'required', ...everyone('approvalNotFound') },
  '/pull-changes': { has: ['target'], token: 'required', stranger: 'ok', member: 'ok' },
  '/github-register-totp': {
    ...named({ ...stepUp('register-authenticator'), ...TOTP }),
    ...memberGets('wrongCode'),
  },
  '/webauthn-challenge': {
    has: NAMED,
    fields: { type: 'delete-authenticator', authenticatorID: ID },
    ...NO_KEY,
  },
  '/github-edit-authenticator': {
    fields: { type: 'passkey', id: ID, label: 'Another' },
    ...everyone('labelReadOnly'),
  },
  '/lost-approvals': {
    has: ['orgID'],
    fields: { type: 'passkey', id: ID, since: '2026-01-01T00:00:00Z' },
    ...everyone('authenticatorNotFound'),
  },
  '/github-precheck-email': { fields: { email: 'mona@example.org' }, ...everyone('mailNotSetUp') },
  '/organization-enrolment': { has: ['orgID'], ...MEMBERS },
  '/github-vouch': { ...named({ authenticatorID: ID, ...stepUp('vouch') }), ...everyone('vouchNeedsKey') },
  '/device-link': { ...named(stepUp('register-authenticator')), ...memberGets('deviceNeedsKey') },
  '/github-confirm-email': { fields: emailCode, ...everyone('emailCodeUnknown') },
  '/notice-choice': { fields: { choice: 'off' }, ...everyone('ok') },
  '/inbox': { token: 'required', ...everyone('ok') },
  '/personal-set-image': { fields: { orgID: 0, image: IMAGE }, ...everyone('ok') },
  '/github-set-image': { has: ['orgID'], fields: { image: IMAGE }, ...OWNERS },
  '/organization': { has: ['orgID'], ...MEMBERS },
  '/organization-health': { has: ['orgID'], fields: { again: false }, ...OWNERS },
  '/github-preview-assurance': { ...named({ assurance: { methods: ['passkey'] } }), ...OWNERS },
  '/organization-authenticators': { has: ['orgID'], ...OWNERS, elsewhere: 'notOwner' },
  '/rule-approvers': { has: ['orgID'], fields: { policy: { version: 1 } }, ...OWNERS, elsewhere: 'notOwner' },
  '/organization-members': { has: ['orgID'], fields: { state: 'all', search: '', after: '' }, ...OWNERS },
  '/organization-pulls': {
    has: ['orgID'],
    fields: { search: '', repo: 'hello', rule: '', age: 'any', after: '' },
    ...OWNERS,
  },
  '/organization-repositories': { has: ['orgID'], fields: { state: 'all', search: '' }, ...OWNERS },
  '/bypass-lists': {
    has: NAMED,
    fields: { text: '{"id":1,"updated_at":"2026-05-04T12:00:00Z","bypass_actors":[]}' },
    token: 'optional',
    ...OWNERS,
  },
  '/organization-roll-out': { has: ['orgID'], ...OWNERS },
  '/organization-statistics': { has: ['orgID'], ...OWNERS },
  '/remind-members': { ...named({ memberID: 1 }), ...ownerGets('mailNotSetUp') },
  '/end-member-sessions': {
    ...named({ memberID: 1, ...stepUp('end-sessions') }),
    ...ownerGets('memberNotFound'),
  },
  '/acknowledge-params': { ...named({ entry: 1 }), ...ownerGets('weakeningNotFound') },
  '/acknowledge': { ...named({ entry: 1, authResponse }), ...ownerGets('weakeningNotFound') },
  '/organization-policy': { has: NAMED, ...MEMBERS },
  '/github-set-policy': {
    ...named({ policy: { version: 1 }, replaces: MISSING, ...stepUp('change-policy') }),
    ...ownerGets('policyMoved'),
  },
  '/github-try-policy': { ...named({ policy: { version: 1 }, repo: 'hello', pr: 1 }), ...MEMBERS },
  '/github-preview-policies': { ...named({ policies: [{ version: 1 }] }), ...OWNERS },
  '/github-match-patterns': {
    ...named({ repositories: ['*'], branches: ['main'], paths: ['**'] }),
    ...OWNERS,
  },
  '/receipts': { has: ['head'], ...MEMBERS },
  '/receipts-export': {
    has: ['orgID'],
    fields: { from: '2026-01-01T00:00:00Z', repo: 'hello', commits: ['ab'.repeat(20)] },
    token: 'optional',
    ...OWNERS,
  },
  '/log-export': { has: ['orgID'], fields: { after: 1 }, token: 'optional', ...OWNERS },
  '/organization-log': { has: ['orgID'], ...MEMBERS },
  '/organization-hooks': { has: ['orgID'], ...OWNERS },
  '/set-hook': { ...named({ ...WEBHOOK, url: 'https://hooks.invalid/' }), ...OWNERS },
  '/test-hook': { ...named(WEBHOOK), ...OWNERS },
  '/remove-hook': { ...named(WEBHOOK), ...OWNERS },
  '/logout': { ...everyone('ok') },
};

let product: TestProduct;
let ahead = 0;
let pull: Pull;
let mona: Session;
let octocat: Session;
let hubot: Session;

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + ahead) };
  // The test of an outgoing webhook waits for an answer that never comes.
  product = await startTestProduct({ unlimited: true, clock, waits: { deliveryMs: 500 } });
  [mona, octocat, hubot] = await Promise.all([
    product.signIn('mona'),
    product.signIn('octocat'),
    product.signIn('hubot'),
  ]);
  pull = await product.pendingPull();
});
afterAll(() => product?.stop());

/** A body that the call can read. */
function bodyOf({ has = [], fields }: Row, orgID = orgOf(product).orgID): Record<string, unknown> {
  const { org } = orgOf(product);
  const { base: _, ...target } = { ...targetOf(product, pull), ownerID: orgID };
  const { installation: __, ...head } = target;
  const { pr: ___, head: ____, ...repository } = target;
  const run = { ...repository, run: 77, environment: 'release' };
  const parts = {
    head,
    org: { org },
    orgID: { orgID },
    target,
    items: { items: [target] },
    run,
    runParams: { params: run },
    params: { params: { ...target, ...REGISTRATION, org, orgID } },
  };
  return { ...Object.assign({}, ...has.map((name) => parts[name])), ...fields };
}

/** The code of the refusal; `ok` if there is none. */
async function codeOf(
  path: string,
  body: unknown,
  session: Partial<Session> = mona,
  headers: Record<string, string> = {},
): Promise<string> {
  const { status, text } = await product.call(path, body, session, {
    accept: 'application/problem+json',
    ...headers,
  });
  if (status < 300) return 'ok';
  const problem = JSON.parse(text) as Problem;
  expect(problem.status).toBe(status);
  return problem.code;
}

/** All calls share the code that refuses these, so each call tries one of the cases, and in the soak all of them. */
const inTurn = <T>(path: string, cases: T[]): T[] =>
  process.env.SOAK
    ? cases
    : cases.filter((_case, at) => at === Object.keys(ROWS).indexOf(path) % cases.length);

it('has a row for each product call', () => {
  expect(Object.keys(ROWS).sort()).toEqual(calls.map(({ path }) => path).sort());
});

it.each(calls)('$path counts for the organization and the pull requests that its body names', (call) => {
  const { has = [] } = ROWS[call.path];
  const { orgID, targets } = call.prepare(bodyOf(ROWS[call.path]));
  const signs = ['/github-check-webauthn', '/deny'].includes(call.path);
  const isOfPulls = has.includes('target') || has.includes('items') || signs;
  const named = has.some((part) => part !== 'org') ? orgOf(product).orgID : undefined;
  expect([orgID, targets?.map(({ pr }) => pr)]).toEqual([named, isOfPulls ? [pull.number] : []]);
});

it.each(Object.entries(ROWS))('%s refuses who has no session and what no page sends', async (path, row) => {
  const body = bodyOf(row);
  const sessions = ['', 'Bearer ', `${mona.token}x`, mona.accessToken];
  const refused: Record<string, string> = { 'no session': await codeOf(path, {}, {}) };
  for (const token of inTurn(path, sessions))
    refused[`the session ${token}`] = await codeOf(path, {}, { token });
  expect(new Set(Object.values(refused))).toEqual(new Set(['missingAuthToken']));
  const unlikePages: [code: string, body: unknown, headers?: Record<string, string>][] = [
    ['crossSite', body, { origin: 'https://evil.example' }],
    ['crossSite', body, { 'sec-fetch-site': 'cross-site' }],
    ['tooLarge', { ...body, more: 'x'.repeat(70_000) }],
    ['unsupportedType', '<a/>', { 'content-type': 'application/xml' }],
    ['malformed', '{"a":'],
  ];
  for (const [code, sent, headers] of inTurn(path, unlikePages))
    expect([sent, headers, await codeOf(path, sent, mona, headers)]).toEqual([sent, headers, code]);
});

it.each(Object.entries(ROWS))('%s refuses a body with a field of another type', async (path, row) => {
  const body = { ...bodyOf(row), ...(row.token && { accessToken: mona.accessToken }) };
  const statuses: [string, number][] = [];
  // A use case reads a policy, and names its faults.
  for (const [name, value] of Object.entries(body).filter(([name]) => name !== 'policy')) {
    const wrong = { ...body, [name]: typeof value === 'object' ? 7 : { wrong: true } };
    statuses.push([name, (await product.call(path, wrong, mona)).status]);
  }
  expect(statuses).toEqual(statuses.map(([name]) => [name, 400]));
});

it.each(Object.entries(ROWS).filter(([, { token }]) => token))(
  '%s refuses another GitHub token than the person’s own',
  async (path, row) => {
    // A person may send only a few wrong ones in a minute.
    ahead += 61_000;
    const withToken = (accessToken?: string) => codeOf(path, { ...bodyOf(row), accessToken });
    expect([
      await withToken('ghu_nobodyhasthistoken'),
      await withToken(product.github.facts.adminToken),
      await withToken(octocat.accessToken),
    ]).toEqual(['notAuthorizedWithGitHub', 'notAuthorizedWithGitHub', 'otherGitHubAccount']);
    expect((await withToken(undefined)) === 'missingAuthToken').toBe(row.token === 'required');
  },
);

it.each(Object.entries(ROWS).filter(([path]) => path !== '/logout'))(
  '%s refuses who isn’t what it asks for in the organization',
  async (path, row) => {
    const by = (session: Session, orgID?: number) => {
      const body = { ...bodyOf(row, orgID), ...(row.token && { accessToken: session.accessToken }) };
      return codeOf(path, body, session);
    };
    const owner = row.owner ?? (row.member === 'notOwner' ? 'ok' : row.member);
    expect([await by(hubot), await by(mona), await by(octocat), await by(octocat, 424_242)]).toEqual([
      row.stranger,
      row.member,
      owner,
      row.elsewhere ?? 'installationNotFound',
    ]);
  },
);

it.each<[path: string, says: string, change: object]>([
  [
    '/github-register-authenticator-params',
    'Enter a label without control characters.',
    { label: 'a\u009bb' },
  ],
  ['/github-register-authenticator-params', 'Unrecognized authenticator type', { type: 'totp' }],
  ['/github-confirm-email', 'This page is too old. Request a new code.', { ts: 0 }],
  [
    '/github-confirm-email',
    'This page is too old. Request a new code.',
    { sig: '" || 1=1 || sig="aaaaaaaaaaaaaaaaaaaaaaaaaaa' },
  ],
  ['/organization-members', 'A field of this request is missing or malformed.', { after: 'x'.repeat(101) }],
  ['/personal-set-image', 'A personal image has no organization.', { orgID: 1 }],
  ['/personal-set-image', 'Choose an image first.', { image: { ...IMAGE, name: `${'a'.repeat(20)}\n` } }],
  [
    '/personal-set-image',
    'Choose an image first.',
    { image: { ...IMAGE, colors: Array(5).fill('#ffffff;background:url(//x)') } },
  ],
  [
    '/personal-set-image',
    'Choose one of marble, beam, pixel, ring and bauhaus.',
    { image: { ...IMAGE, variant: 'Marble' } },
  ],
  ['/github-set-image', 'Missing org ID', { orgID: 0 }],
  ['/deny-params', 'Say why, in 1 to 500 characters.', { reason: ' '.repeat(600) }],
  [
    '/deny',
    "Write the reason without line breaks and without characters that can't be seen.",
    { reason: 'fine \u202egnp.exe' },
  ],
  ['/deny', 'missing authenticator', { otp: '000000' }],
  ['/deploy-check', 'missing authenticator', { otp: '000000' }],
  ['/deploy-check', 'missing attempt', { otp: '000000', authResponse: undefined }],
  ['/deploy-params', 'Say why you reject it, in up to 500 characters.', { decision: 'reject' }],
  ['/deploy-params', 'missing environment', { environment: 'a\u0000b' }],
  ['/receipts-export', 'Enter at most 100 commits at once.', { commits: Array(101).fill('ab'.repeat(20)) }],
])('%s says: %s', async (path, says, change) => {
  const answer = await product.call(path, { ...bodyOf(ROWS[path as CallPath]), ...change }, mona);
  expect([answer.status, answer.text]).toEqual([400, says]);
});
