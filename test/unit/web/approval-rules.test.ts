import { describe, expect, test } from '@jest/globals';
import type { ApprovalParamsAnswer } from '../../../src/contract/approvals.ts';
import { problems } from '../../../src/contract/problems.ts';
import { exactTime } from '../../../web/src/lib/times.ts';
import { aDenial, anAnswer, statement, story, target } from './approval-fixture.ts';
import {
  alertText,
  dashboard,
  fireEvent,
  json,
  type Network,
  refusal,
  screen,
  waitFor,
} from './dashboard.ts';
import { record } from './fixtures.ts';

const open = dashboard();

/** Opens the approval page, with what the server says about the rules. */
async function show(
  change: Partial<ApprovalParamsAnswer>,
  network: Network = {},
  { path = '/collect-passkey', person = record as object, local = {} } = {},
) {
  return open(`${path}?${new URLSearchParams({ ...target, repoID: '1296269' })}`, {
    person,
    local,
    network: { [PARAMS]: json(await anAnswer(change)), ...network },
  });
}

const yourApproval = { method: 'passkey', at: '2026-11-21T09:00:00Z' } as const;
const PARAMS = 'POST /github-check-webauthn-params';
const two = { name: 'two eyes', enforced: true, met: false, approvals: 2, by: ['mona'] };
const rules = [
  { ...two, missing: 'Needs 1 more approval from a member.' },
  { ...two, name: 'owners', enforced: false, missing: 'Needs 2 more approvals from owners.' },
  { ...two, name: '', met: true, approvals: 1, missing: '' },
  { ...two, name: 'bots', met: true, approvals: 0, by: [], missing: '' },
];

describe('the approval page', () => {
  const before = 'be'.repeat(20);
  const pull = {
    ...{ title: 'Add a greeting', author: null, url: 'https://github.com/octo-org/hello/pull/7' },
    ...{
      changesUrl: '',
      headBranch: 'mona:fix',
      approvedBefore: before,
      size: { files: 1, additions: 12, deletions: 3 },
    },
  };
  const facts = () => document.querySelector('dl')?.textContent;
  const changes = (answer: object) => ({
    'POST /pull-changes': json({ message: 'Greet\n\nPolitely.', isCut: false, sameFilesAs: null, ...answer }),
  });

  test('tells what happened to the pull request, and what it waits for', async () => {
    const at = '2026-11-21T09:00:00Z';
    const ofMona = {
      id: 'a',
      head: before,
      base: 'main',
      login: 'mona',
      avatarUrl: '',
      method: 'passkey',
      at,
    };
    const approvals = [
      { ...ofMona, withdrawn: null },
      { ...ofMona, id: 'b', login: 'hubot', base: 'next', withdrawn: at },
      { ...ofMona, id: 'c', head: statement.head, login: 'jan', method: 'totp', withdrawn: null },
    ] as ApprovalParamsAnswer['story']['approvals'];
    const denial = { ...ofMona, ...aDenial, login: 'jan', at: '2026-11-21T08:30:00Z', withdrawn: null };
    const denials = [denial, { ...denial, id: 'e', head: statement.head, withdrawn: at }];
    const byDefault = { ...two, name: '', approvals: 1, missing: 'Needs 1 approval from any member.' };
    await show(
      { rules: [...rules, byDefault], story: { ...story, approvals, denials } },
      changes({ sameFilesAs: before }),
    );
    await screen.findByText(/no file changed/);
    const list = screen.getByRole('list', { name: 'Timeline' });
    const textOf = ({ textContent }: Element) =>
      textContent
        ?.replace(/\w+ \w+ ago/g, 'then')
        .replaceAll(exactTime(at), '')
        .replace(exactTime(denial.at), '')
        .replace(exactTime('2026-11-21T08:00:00Z'), '');
    expect([...list.children].map(textOf)).toEqual([
      'Mmona opened it then',
      'Commit bebebebe',
      'Jjan denied, passkey, then: <b>drops</b> a table',
      'Mmona, passkey, then',
      'Hhubot, passkey, then into next, withdrawn then',
      'New commit 6dcb09b5, no file changed',
      'Jjan denied, passkey, then: <b>drops</b> a table, ended then',
      'Jjan, authenticator app, then',
      'two eyes: Needs 1 more approval from a member.',
      'owners (reported only): Needs 2 more approvals from owners.',
      'bots: Needs no approval.',
      'Waiting for 1 approval from any member.',
    ]);
    const proof = screen.getByRole('link', { name: /^mona ?, passkey/ });
    expect(proof.getAttribute('href')).toMatch(new RegExp(`^/commit\\?.*head=${before}`));
    // The exact time is there on hover, and by the styles on focus.
    expect(proof.querySelector('time')?.title).toBe(exactTime(at));
    await screen.findByRole('button', { name: /^Approve with/ });
    // The author typed it: an Arabic title is written from right to left, and begins where the others do.
    const title = screen.getByRole('heading', { level: 2, name: /^Add a greeting/ });
    expect(title.getAttribute('dir')).toBeNull();
    expect(title.querySelector('bdi')?.textContent).toBe('Add a greeting');
  });

  const needs = '1 more approval needed, from a member; mona and octocat approved so far.';
  const redirect = 'https://github.com/octo-org/hello/pull/7';
  const submit = async () => {
    await screen.findByText('Add a greeting');
    fireEvent.change(screen.getByLabelText('One-time code'), { target: { value: '123456' } });
  };

  test.each<[string, object, string, RegExp]>([
    [
      'that an approval counts, and what is missing',
      { reported: true, passed: false, needs },
      'The check still waits',
      /^You approved\. 1 more approval needed, from a member; mona and octocat approved so far\.$/,
    ],
    [
      'that it is stored, before GitHub shows that the check passes',
      { reported: false, passed: true, needs: null },
      'The check still waits',
      /^Your approval is safe\. GitHub hasn't accepted the check yet/,
    ],
    [
      'Approved only with a passed check',
      { reported: true, passed: true, needs: null },
      'Approved',
      /^Approved\.$/,
    ],
  ])('says after an approval %s', async (_, answer, title, text) => {
    const network = { 'POST /github-totp-check': json({ redirect, ...answer }) };
    await show({ rules }, network, { path: '/collect-totp' });
    await submit();
    await screen.findByRole('heading', { name: title });
    await screen.findByText(text);
    await screen.findByText('approved with a one-time code');
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
    expect(screen.queryByText('Approved.') !== null).toBe(title === 'Approved');
    // The page no longer says what the rules lacked before this approval.
    expect(screen.queryByRole('list', { name: 'Timeline' })).toBeNull();
    expect(screen.getByRole('link', { name: /Back to the pull request/ }).getAttribute('href')).toBe(
      redirect,
    );
  });

  test('invites to choose a security image on the visit after an approval, until the person declines', async () => {
    const network = {
      'POST /github-totp-check': json({ redirect, reported: true, passed: true, needs: null }),
    };
    const invitation = () => screen.queryByRole('link', { name: 'Choose a security image' });
    await show({}, network, { path: '/collect-totp' });
    await submit();
    await screen.findByText('Approved.');
    expect(invitation()).toBeNull();
    await waitFor(() => expect(Object.keys(window.localStorage)).toContain('image-invited'));
    const local = { 'image-invited': String(window.localStorage.getItem('image-invited')) };

    await show({}, network, { path: '/collect-totp', local });
    await screen.findByText('Add a greeting');
    expect(invitation()?.getAttribute('href')).toMatch(/^\/image\?/);
    fireEvent.click(screen.getByRole('button', { name: 'Not now' }));
    expect(invitation()).toBeNull();
    expect(window.localStorage.getItem('image-invited')).toBe('true');

    const image = { name: 'abc', colors: ['#000000'], variant: 'beam' };
    await show({}, network, { path: '/collect-totp', local, person: { ...record, image } });
    await screen.findByText('Add a greeting');
    expect(invitation()).toBeNull();
  });

  test('says what the check still waits for to those who approved already', async () => {
    await show({ yourApproval, rules, needs });
    await screen.findByRole('heading', { name: 'The check still waits' });
    await screen.findByText(needs);
    const shared = "The check waits for #8 too, which has the same commit and isn't approved yet.";
    for (const path of ['/collect-passkey', '/collect']) {
      const person = path === '/collect' ? { ...record, authenticators: {} } : record;
      await show({ passed: true, needs: shared }, {}, { path, person });
      await screen.findByRole('heading', { name: 'The check still waits' });
      await screen.findByText('All approvals are in.');
      await screen.findByText(shared);
    }
    expect(screen.queryByText('Approved')).toBeNull();
  });

  test('says why an approval would count for nothing, instead of asking for one', async () => {
    await show({ rules, refusal: "Your approval wouldn't count: the rule “two eyes” asks for an owner." });
    expect(await alertText()).toMatch(/^Your approval wouldn't count/);
    await screen.findByRole('link', { name: /Back to the pull request/ });
    expect(screen.queryByRole('button', { name: /^Approve with/ })).toBeNull();
  });

  const proof = { id: 'a', login: 'hubot', method: 'passkey', at: yourApproval.at, base: 'main', pr: 7 };
  const key = {
    userVerified: true,
    model: 'YubiKey 5',
    modelVerified: true,
    enrolled: 'vouched',
    addedWith: null,
  };
  const ofKey = {
    ...proof,
    ...key,
    signature: 'valid',
    vouchedBy: ['mona', 'octocat'],
    withdrawn: null,
    reason: null,
  };
  const withPasskey = { enrolled: 'open', addedWith: 'passkey', vouchedBy: [] };
  const receipts = {
    'POST /receipts': json({
      receipts: [{ payload: '' }, { payload: '' }],
      proofs: [
        ofKey,
        { ...ofKey, id: 'b', login: 'mona', method: 'totp', signature: 'server', ...withPasskey },
      ],
      without: [{ commit: 'c', why: 'Too old.' }],
      story: { ...story, approvals: [{ ...proof, head: statement.head, avatarUrl: '', withdrawn: null }] },
    }),
  };

  test('shows the proofs of an approved commit', async () => {
    await show({ yourApproval }, receipts);
    await screen.findByRole('button', { name: 'Download receipt of hubot' });
    const proofs = screen.getByRole('region', { name: 'Proofs' });
    const shown = proofs.textContent;
    for (const text of [
      'Signature validUser verifiedBy fingerprint, face or PIN',
      'One-time code: only this server attests it',
      'YubiKey 5, verified by its certificate',
      'Vouched for by mona, who was vouched for by octocat',
      'Added withtheir passkey, which began with a GitHub sign-in',
      'Without a receipt: Too old.',
    ])
      expect(shown).toContain(text);
    // What the person did comes first, then the proof, and last what takes it back.
    const first = screen.getByText(/^You approved this commit/);
    expect(first.textContent).toMatch(/^You approved this commit \d+ \w+ ago with a passkey\.$/);
    const last = screen.getByRole('button', { name: 'Withdraw approval' });
    const order = [
      screen.getByRole('heading', { level: 1 }),
      first,
      screen.getByText('Opened by'),
      proofs,
      last,
    ];
    expect(screen.getByRole('link', { name: /^hubot ?, passkey/ }).getAttribute('href')).toBe('#proof-a');
    expect(document.getElementById('proof-a')?.textContent).toMatch(
      /^hubot[^,]* ago, passkeySignature valid/,
    );
    for (const [at, one] of order.slice(1).entries())
      expect(order[at]?.compareDocumentPosition(one)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  test('shows the proofs instead of the form if others approved, and the form to a person who wants it', async () => {
    await show({ passed: true }, receipts);
    await screen.findByRole('heading', { name: 'Approved' });
    await screen.findByRole('region', { name: 'Proofs' });
    expect(screen.queryByRole('button', { name: /^Approve with/ })).toBeNull();
    fireEvent.click(screen.getByRole('link', { name: 'Add your approval' }));
    await screen.findByRole('button', { name: /^Approve with/ });
    await screen.findByText('Changes');

    await show({ passed: true, refusal: "Your approval wouldn't count." }, receipts);
    await screen.findByRole('button', { name: 'Download receipt of hubot' });
    expect(screen.queryByRole('link', { name: 'Add your approval' })).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();

    const newcomer = { path: '/collect', person: { ...record, authenticators: {} } };
    await show({ passed: true }, receipts, newcomer);
    await screen.findByRole('button', { name: 'Download receipt of hubot' });
    fireEvent.click(screen.getByRole('link', { name: 'Add your approval' }));
    await screen.findByRole('heading', { name: /^Register/ });
  });

  test.each([
    ['merged', 'pullMerged'],
    ['closed', 'pullClosed'],
  ] as const)('says calmly that a pull request is %s, and which approvals it had', async (how, code) => {
    for (const path of ['/collect-passkey', '/collect'])
      for (const person of [record, { ...record, authenticators: {} }]) {
        const params = refusal(code);
        await show({}, { ...receipts, 'POST /github-check-webauthn-params': params }, { path, person });
        await screen.findByRole('heading', { name: `Pull request ${how}` });
        await screen.findByRole('button', { name: 'Download receipt of hubot' });
        expect(screen.queryByRole('alert')).toBeNull();
        expect(screen.queryByRole('button', { name: /^(Approve|Try)/ })).toBeNull();
      }
  });

  test('tells a newcomer whom no rule counts at once, and not after a registration', async () => {
    const text = "Your approval wouldn't count.";
    await show({ refusal: text }, {}, { path: '/collect', person: { ...record, authenticators: {} } });
    expect(await alertText()).toBe(text);
    await screen.findByRole('link', { name: /Back to the pull request/ });
    expect(window.location.pathname).toBe('/collect');
  });

  test.each([
    ['notMember', "You're signed in as octocat, who isn't a member of octo-org."],
    ['noRepositoryAccess', problems.noRepositoryAccess[1]],
    ['installationNotFound', problems.installationNotFound[1]],
  ] as const)('tells a newcomer at once, and calmly, about %s', async (code, text) => {
    const person = { ...record, authenticators: {} };
    await show({}, { [PARAMS]: refusal(code) }, { path: '/collect', person });
    await screen.findByRole('button', { name: 'Use another account' });
    expect(document.querySelector('main [role="status"] p')?.textContent).toBe(text);
    screen.getByRole('link', { name: 'Back to the pull request' });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(window.location.pathname).toBe('/collect');
  });

  test('shows the size and the message after the page itself, and names what failed', async () => {
    await show({ pull }, changes({}));
    await screen.findByText('Greet');
    expect(facts()).toContain('Changes1 file, +12 \u22123MessageGreetGreet\n\nPolitely.');
    await screen.findByRole('button', { name: 'Copy the full hash' });
    screen.getByRole('link', { name: 'Decide later' });
    const stopped = { 'POST /pull-changes': refusal('storeUnavailable') };
    const ofMona = {
      id: 'a',
      head: before,
      base: 'main',
      login: 'mona',
      avatarUrl: '',
      method: 'passkey',
    } as const;
    const approvals = [{ ...ofMona, at: '2026-11-21T09:00:00Z', withdrawn: null }];
    await show({ pull, story: { ...story, approvals } }, stopped);
    await screen.findByText(`Couldn't load the message. ${problems.storeUnavailable[1]}`);
    // What the page knows about the earlier approval stays, without a claim about files.
    expect(screen.getByRole('link', { name: /see what changed/ }).getAttribute('href')).toBe(
      `https://github.com/octo-org/hello/compare/${before}..${statement.head}`,
    );
    await screen.findByRole('button', { name: /^Approve with/ });
  });

  test('signs out a person who isn’t the one it shows, and asks to sign in for the same pull request', async () => {
    const { requests, client } = await show({}, { 'POST /logout': json('ok') });
    fireEvent.click(await screen.findByRole('button', { name: 'Not octocat?' }));
    await screen.findByText("You'll continue with octo-org/hello #7.");
    expect(requests.map(({ call }) => call)).toContain('POST /logout');
    expect(client.tab.getItem('other-person')).toBe('true');
  });

  test('says on the first page what a browser without WebAuthn can’t do', async () => {
    // The document of these tests has none.
    const newcomer = { ...record, authenticators: {} };
    const codes = problems.codesCantBeFirst[1];
    const answer = await anAnswer({ refusal: null });
    const byType = (body: unknown) =>
      Response.json((body as { type: string }).type === 'show-code' ? { ...answer, refusal: codes } : answer);
    await show({}, { [PARAMS]: byType }, { path: '/collect', person: newcomer });
    expect(await alertText()).toBe(codes);
    screen.getByText(/^This browser doesn't support passkeys/);
    await show({}, {}, { path: '/collect' });
    expect(await alertText()).toMatch(/^This browser doesn't support passkeys/);
    expect(window.location.pathname).toBe('/collect');
  });

  test('shows the commit to a person without an authenticator whose approval wouldn’t count', async () => {
    const sentence = 'You asked for this change, so another person has to approve it.';
    await show({ refusal: sentence }, {}, { path: '/collect', person: { ...record, authenticators: {} } });
    expect(await alertText()).toBe(sentence);
    expect(facts()).toContain('Commit6dcb09b5');
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
  });

  test('works without the proofs', async () => {
    await show({ yourApproval }, { 'POST /receipts': refusal('logChanged') });
    await screen.findByText(problems.logChanged[1]);
    await screen.findByRole('button', { name: 'Withdraw approval' });
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
