import { describe, expect, test } from '@jest/globals';
import { changedParts } from '../../../src/contract/activity.ts';
import { DEFAULT_POLICY } from '../../../src/contract/default-policy.ts';
import { entryText } from '../../../src/contract/events/log-text.ts';
import { type Policy, policySchema } from '../../../src/contract/policy.ts';
import { assuranceText, enrolmentText } from '../../../src/contract/policy-words.ts';
import { plainEntryText } from '../../../web/src/features/organization/log/entry-text.ts';
import {
  readPolicyFile,
  writePolicyFile,
} from '../../../web/src/features/organization/policy/policy-file.ts';
import {
  approversText,
  meetableText,
  previewText,
  reportedText,
  testedText,
} from '../../../web/src/features/organization/policy/policy-texts.ts';
import { RECIPES } from '../../../web/src/features/organization/policy/recipes.ts';
import { parsePull } from '../../../web/src/features/organization/policy/try-it.tsx';
import { refusePolicyStatement } from '../../../web/src/lib/signing/check-policy-statement.ts';
import { hashOf } from '../../../web/src/lib/signing/check-statement.ts';
import { alertText, dashboard, fireEvent, json, refusal, screen, waitFor, within } from './dashboard.ts';
import { plugInPasskey } from './fake-passkey.ts';
import { record } from './fixtures.ts';

const policyOf = (...rules: object[]): Policy => policySchema.parse({ version: 1, rules });
const WORKFLOWS = { name: 'workflows', when: { paths: ['.github/**'] }, require: { approvals: 2 } };
const POLICY = policyOf(WORKFLOWS);

describe('a policy file', () => {
  test('names the schema, and reads as the policy that was written', () => {
    const text = writePolicyFile(POLICY, 'https://guard.example.org');
    expect(text.split('\n')[0]).toBe(
      '# yaml-language-server: $schema=https://guard.example.org/policy.schema.json',
    );
    expect(readPolicyFile(text)).toEqual({ policy: POLICY });
    expect(readPolicyFile(JSON.stringify({ version: 1 }))).toEqual({ policy: DEFAULT_POLICY });
  });

  const rules = (...lines: string[]) => ['version: 1', 'rules:', ...lines].join('\n');

  test.each([
    ['', 'Line 1: A policy is needed here.'],
    ['- 1', 'Line 1: A policy is needed here.'],
    ['version: 2', 'Line 1: version: '],
    ['version: 1\nrules: {', "Line 2: This isn't YAML."],
    ['version: 1\nversion: 1', "Line 2: This isn't YAML."],
    ['version: 1\n\ncolours: red', 'Line 3: colours: There is no such setting.'],
    ['version: 1\nenrolment:\n  mode: email', 'Line 2: domains: Name at least one domain.'],
    ['version: 1\nagents:\n  logins: [no body]', 'Line 3: logins: A login is needed here'],
    [
      rules('  - name: a', '  - name: b', '    require:', '      approvals: 9'),
      'Line 6: Rule “b”, approvals: At most 5',
    ],
    [
      rules('  - name: a', '    require:', '      from:', '        - owners', '        - "no body"'),
      'Line 7: Rule “a”, from: This is neither a login nor a team',
    ],
    [rules('  - enforced: true'), 'Line 3: Rule 1, name: Give the rule a name.'],
    [rules('  - name: a', '  - name: a'), 'Line 4: Rule “a”, name: Another rule has this name.'],
    [
      `a: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]`,
      'Line 1: A policy is needed here.',
    ],
    ['x'.repeat(70_000), 'This file is too large for a policy.'],
  ])('says in which line it is wrong first, and what is wrong (%#)', (text, problem) => {
    const read = readPolicyFile(text);
    expect(read.policy).toBeUndefined();
    expect(read.problem?.startsWith(problem) ? problem : read.problem).toBe(problem);
  });
});

describe('a change of the policy in the log', () => {
  const textOf = (before: Policy, after: Policy) =>
    plainEntryText({ kind: 'policyChange', data: changedParts(before, after) });
  const rule = (name: string, change: object = {}) => ({ name, ...change });

  test('says in words what was added, removed, changed, enforced and moved', () => {
    expect(textOf(DEFAULT_POLICY, POLICY)).toMatch(
      /^changed the policy: added the rule “workflows”: .*2 approvals/,
    );
    const added = { kind: 'policyChange', data: changedParts(DEFAULT_POLICY, POLICY) };
    expect(entryText(added)).toContainEqual({ code: '.github/**' });
    expect(textOf(POLICY, DEFAULT_POLICY)).toMatch(/^changed the policy: removed the rule “workflows”/);
    const reported = policyOf({ ...WORKFLOWS, enforced: false });
    expect(textOf(reported, POLICY)).toBe('changed the policy: enforced the rule “workflows”');
    expect(textOf(POLICY, reported)).toBe('changed the policy: stopped enforcing the rule “workflows”');
    expect(textOf(POLICY, policyOf({ ...WORKFLOWS, require: { approvals: 3 } }))).toMatch(
      /changed the rule “workflows” from “.*2 approvals.*” to “.*3 approvals.*”$/,
    );
    expect(textOf(policyOf(rule('a'), rule('b')), policyOf(rule('b'), rule('a')))).toBe(
      'changed the policy: changed the order of the rules',
    );
    expect(textOf(POLICY, { ...POLICY, enrolment: { ...POLICY.enrolment, mode: 'vouched' } })).toBe(
      'changed the policy: first authenticator: It counts once an owner with a passkey or security key has vouched for it',
    );
    const agents = { logins: ['octo-ai'], emails: ['ai@acme.dev'] };
    expect([textOf(POLICY, { ...POLICY, agents }), textOf({ ...POLICY, agents }, POLICY)]).toEqual([
      'changed the policy: agents: octo-ai and ai@acme.dev',
      'changed the policy: agents: none of its own',
    ]);
    expect(textOf(DEFAULT_POLICY, policyOf(rule('a'), rule('b')))).toMatch(
      /1 approval from a member; added the rule “b”: .*member$/,
    );
  });

  test('stays small, and says how many rules it leaves out', () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      rule(`rule ${index}`, {
        when: { paths: Array.from({ length: 5 }, (_, at) => `${'x'.repeat(90)}${at}`) },
      }),
    );
    const parts = changedParts(DEFAULT_POLICY, policyOf(...many));
    expect(JSON.stringify(parts).length).toBeLessThan(13_000);
    expect(parts.after.rules.length + parts.omitted).toBe(100);
    expect(textOf(DEFAULT_POLICY, policyOf(...many))).toMatch(/changed \d+ more rules$/);
    const longest = (letter: string) => {
      const name = (at: number) => `${letter.repeat(60)}${at}`;
      const domain = `${`${letter.repeat(60)}.`.repeat(3)}example`;
      const all = Array.from({ length: 100 }, (_, at) => `${name(at)}.${domain}`);
      return policySchema.parse({
        version: 1,
        enrolment: { mode: 'email', domains: all },
        agents: {
          logins: all.map((_, at) => `${name(at)}[bot]`),
          emails: all.map((_, at) => `${name(at)}@${domain}`),
        },
      });
    };
    expect(JSON.stringify(changedParts(longest('a'), longest('b'))).length).toBeLessThan(13_000);
  });
});

test.each([
  [
    { mode: 'email', domains: ['example.org', 'example.com'] },
    'e-mail address at example.org or example.com',
  ],
  [
    { mode: 'vouched', vouchers: 'members', vouchExistingBy: '2027-01-31' },
    'once a member.* From 2027-01-31 on',
  ],
] as const)('a first authenticator with %j is explained by “%s”', (enrolment, says) => {
  const { enrolment: parsed } = policySchema.parse({ version: 1, enrolment });
  expect(enrolmentText(parsed)).toMatch(new RegExp(says));
});

test('what counts is explained with each of its conditions', () => {
  const assurance = { methods: ['passkey'], userVerification: 'required', deviceBound: true };
  expect(assuranceText(policySchema.parse({ version: 1, assurance }).assurance)).toBe(
    "Every passkey that checks a PIN, fingerprint or face and that isn't synced counts.",
  );
  expect(assuranceText(DEFAULT_POLICY.assurance)).toBe('Every authenticator counts.');
});

test('the previews count one pull request and one member in the singular', () => {
  const value = { open: 1, judged: 1, policies: [{ wait: 0, pass: 0 }] };
  expect(testedText({ status: 'ok', value }, 0)).toBe('Tested on the open pull request: none is affected.');
  const one = { ...value, policies: [{ wait: 1, pass: 1 }] };
  expect(testedText({ status: 'ok', value: one }, 0)).toBe(
    'Tested on the open pull request. 1 pull request that passes now would have to wait. 1 that waits now would pass.',
  );
  expect(previewText({ enrolled: 1, without: 1, logins: ['mona'] })).toBe(
    "The only member who can approve now couldn't: mona.",
  );
});

test.each<[string, object, object]>([
  ['Can approve: ann and mona.', { from: ['members', '@o/t'] }, {}],
  ['Can approve: ann, mona and 3 more.', {}, { able: 5 }],
  ['Can approve with write permission: ann and mona.', { permission: 'write' }, {}],
  [
    "Can approve: ann, mona, members of @o/t and outside collaborators. We can't tell whether they are enough.",
    { from: ['@o/t', 'collaborators'] },
    { canBeMet: 'unknown' },
  ],
  [
    "Can approve: ann and mona. Just enough: it can't be met where one of them doesn't count.",
    { approvals: 2, notBy: ['author'] },
    {},
  ],
  [
    'Nobody can meet this rule: it needs 3 approvals, and only ann and mona can give one.',
    { approvals: 3 },
    { canBeMet: 'no' },
  ],
  [
    'Nobody can meet this rule: no one that it names has an authenticator that it accepts.',
    {},
    { canBeMet: 'no', able: 0 },
  ],
])('a rule says who can meet it: “%s”', (text, require, change) => {
  const [rule] = policyOf({ name: 'a', require }).rules;
  const approvers = { canBeMet: 'yes' as const, able: 2, logins: ['ann', 'mona'], cells: [], ...change };
  expect(rule && approversText(rule, approvers)).toBe(text);
});

test('the page says how many rules nobody can meet', () => {
  const rules = (...all: ('yes' | 'no' | 'unknown')[]) =>
    all.map((canBeMet) => ({ canBeMet, able: 1, logins: [], cells: [] }));
  expect(meetableText(rules('no'))).toBe('Nobody can meet the rule.');
  expect(meetableText(rules('yes', 'no', 'unknown'))).toBe('Nobody can meet 1 of the 3 rules.');
  expect(meetableText(rules('yes', 'unknown'))).toBe('Each of the 2 rules can be met, as far as we know.');
});

test('rules that are only reported are named', () => {
  const reported = (...names: string[]) =>
    reportedText(policyOf(WORKFLOWS, ...names.map((name) => ({ name, enforced: false }))).rules);
  expect(reported()).toBe('');
  expect(reported('a')).toBe('“a” is only reported: it blocks nothing.');
  expect(reported('a', 'b')).toBe('2 rules are only reported and block nothing: “a” and “b”.');
});

test.each([
  ['hello#7', { repo: 'hello', pr: 7 }],
  [' octo-org/hello # 7 ', { repo: 'hello', pr: 7 }],
  ['https://github.com/octo-org/hello/pull/7/files?w=1', { repo: 'hello', pr: 7 }],
  ['hello', null],
  ['#7', null],
  ['https://github.com/octo-org/hello/issues/7', null],
])('“%s” names the pull request %j', (text, pull) => {
  expect(parsePull(text)).toEqual(pull);
});

describe('the statement of a policy', () => {
  const screen = {
    host: 'https://guard.example.org',
    user: { login: 'octocat', githubId: 583231 },
    orgId: 9919,
    policy: POLICY,
  };
  const statementOf = async (change: object = {}) => ({
    v: 1 as const,
    purpose: 'policy' as const,
    host: screen.host,
    org: { id: 9919, login: 'octo-org' },
    user: { id: 583231, login: 'octocat' },
    policySha256: await hashOf(POLICY),
    nonce: 'bm9uY2Utbm9uY2Utbm9uYw',
    iat: 1795217206,
    ...change,
  });
  const refusalOf = async (change: object, challenge?: string) => {
    const statement = await statementOf(change);
    return refusePolicyStatement(
      { options: { challenge: challenge ?? (await hashOf(statement)) }, statement },
      screen,
    );
  };

  test('is signed only if it is about this policy, person, organization and site', async () => {
    expect(await refusalOf({})).toBeNull();
    expect(await refusalOf({}, await hashOf('other'))).toMatch("something this page doesn't show");
    expect(await refusePolicyStatement({ options: { challenge: 'x' } }, screen)).toMatch(
      'a different purpose',
    );
    for (const [what, change] of [
      ['purpose', { purpose: 'approve' }],
      ['site', { host: 'https://evil.example' }],
      ['person', { user: { id: 1, login: 'octocat' } }],
      ['organization', { org: { id: 1, login: 'octo-org' } }],
      ['policy', { policySha256: await hashOf(DEFAULT_POLICY) }],
    ] as const)
      expect(await refusalOf(change)).toMatch(`a different ${what} than this page shows`);
  });
});

describe('the policy page', () => {
  const open = dashboard();
  const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
  const type = async (label: string, value: string) =>
    fireEvent.change(await screen.findByLabelText(label), { target: { value } });
  const READ = 'POST /organization-policy';
  const SET = 'POST /github-set-policy';
  const CODE = { totp: true, webauthn: [] as { id: string }[] };
  const KEY = { totp: false, webauthn: [{ id: 'key' }] };
  const page = (network: object = {}, role = 'admin', authenticators = CODE) => {
    const [, membership] = record.expand.org_members_via_user;
    const person = {
      ...record,
      authenticators: { 9919: authenticators },
      expand: { org_members_via_user: [{ ...membership, role }] },
    };
    return open('/org/policy?owner=octo-org&ownerID=9919', {
      person,
      network: { [READ]: json(POLICY), ...network },
    });
  };
  const edit = async () => {
    await press('Change policy');
    await type('Approvals', '3');
    await press('Review and save');
    await screen.findByRole('heading', { name: 'What changes' });
  };

  const APPROVERS = 'POST /rule-approvers';

  test('is words alone for a member', async () => {
    const { requests } = page({}, 'member');
    await screen.findByRole('heading', { name: 'workflows' });
    expect(requests.map(({ call }) => call)).not.toContain(APPROVERS);
    expect(screen.queryByRole('button', { name: 'Change policy' })).toBeNull();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  test('sends exactly the edited policy with its proof, and the hash of the edited policy', async () => {
    const saved = policyOf({ ...WORKFLOWS, require: { approvals: 3 } });
    const { requests } = page({ [SET]: json(saved) });
    await edit();
    await type('One-time code', '123456');
    await screen.findByText('Saved. Every open pull request is judged again now.');
    expect(requests.find(({ call }) => call === SET)?.body).toMatchObject({
      orgID: '9919',
      policy: JSON.parse(JSON.stringify(saved)),
      replaces: await hashOf(POLICY),
      stepUp: { type: 'change-policy', otp: '123456' },
    });
  });

  test('a rule can be about deployments, by environments or by refs, and stays so while nothing is typed', async () => {
    const saved = policyOf({
      ...WORKFLOWS,
      when: { repositories: ['hello'], refs: ['v*'] },
      require: { ...WORKFLOWS.require, satisfiedBy: { merge: { hours: 8 } } },
    });
    const { requests } = page({ [SET]: json(saved) });
    await press('Change policy');
    await type('About', 'deployments');
    expect(screen.queryByLabelText('Base branches')).toBeNull();
    await type('Repositories', 'hello');
    await press('Review and save');
    await screen.findByText('Rule “workflows”, environments: Name at least one environment.');
    await type('Environments', 'release');
    await type('Environments', '');
    await type('Branches and tags', 'v*');
    fireEvent.click(screen.getByLabelText('An approved merge is enough'));
    await type('At most this many hours ago', '8');
    await press('Review and save');
    await screen.findByRole('heading', { name: 'What changes' });
    await type('One-time code', '123456');
    await screen.findByText('Saved. Every open pull request is judged again now.');
    const sent = requests.find(({ call }) => call === SET)?.body as { policy: unknown };
    expect(sent.policy).toEqual(JSON.parse(JSON.stringify(saved)));
  });

  test.each([
    ['another policy', DEFAULT_POLICY, null, 'a different policy than this page shows'],
    [
      'something else than its statement',
      policyOf({ ...WORKFLOWS, require: { approvals: 3 } }),
      'challenge',
      "something this page doesn't show",
    ],
  ])('is not signed if the server requests a signature for %s', async (_what, policy, challenge, text) => {
    const statement = {
      ...{ v: 1, purpose: 'policy', host: window.location.origin, nonce: 'n', iat: 1 },
      ...{ user: { id: record.github_id, login: record.username }, org: { id: 9919, login: 'octo-org' } },
      policySha256: await hashOf(JSON.parse(JSON.stringify(policy))),
    };
    const options = { challenge: challenge ?? (await hashOf(statement)) };
    const { requests } = page({ 'POST /webauthn-challenge': json({ options, statement }) }, 'admin', KEY);
    await edit();
    const { touch, unplug } = plugInPasskey();
    touch();
    await press('Confirm with passkey');
    expect(await alertText()).toMatch(text);
    unplug();
    expect(requests.map(({ call }) => call)).not.toContain(SET);
  });

  test('shows owners who counts for which rule, and which rule nobody can meet, before and at a change', async () => {
    const columns = [
      { source: '@octo-org/security', isPerson: false },
      { source: 'mona', isPerson: true },
    ];
    const rule = { canBeMet: 'no', able: 1, logins: ['mona'], cells: ['without', 'yes'] };
    const { requests } = page({ [APPROVERS]: json({ columns, more: 2, rules: [rule] }) });
    await screen.findByText('Nobody can meet this rule: it needs 2 approvals, and only mona can give one.');
    const table = () => screen.getByRole('region', { name: 'Rules and people' });
    const texts = (role: string) =>
      within(table())
        .getAllByRole(role)
        .map(({ textContent }) => textContent?.trim());
    expect(texts('columnheader')).toEqual(['Rule', 'Can approve', '@octo-org/security', 'mona']);
    expect(texts('rowheader')).toEqual(['workflows']);
    const WITHOUT = 'Would count, but has no authenticator that does';
    expect(texts('cell')).toEqual(['Nobody: 1 of 2', WITHOUT, 'Counts']);
    screen.getByText("2 more that rules name aren't shown.");
    await edit();
    await within(table()).findByText('Nobody: 1 of 3');
    const sent = requests.filter(({ call }) => call === APPROVERS).map(({ body }) => body);
    expect(sent).toMatchObject(
      [POLICY, policyOf({ ...WORKFLOWS, require: { approvals: 3 } })].map((policy) => ({
        policy: JSON.parse(JSON.stringify(policy)),
      })),
    );
  });

  test('has rules about agents, and the organization’s own agents', async () => {
    const { requests } = page({ [SET]: json(POLICY) });
    await press('Change policy');
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Only if an agent had a hand in it' }));
    await type('Logins', 'octo-ai');
    await press('Review and save');
    await screen.findByText(/from “.*” to “Pull requests in which an agent had a hand that touch/);
    await screen.findByText('agents: octo-ai');
    await type('One-time code', '123456');
    await screen.findByText('Saved. Every open pull request is judged again now.');
    expect(requests.find(({ call }) => call === SET)?.body).toMatchObject({
      policy: { agents: { logins: ['octo-ai'], emails: [] }, rules: [{ when: { agents: true } }] },
    });
  });

  test('begins a change with a recipe, and names what is only reported next to the button that saves', async () => {
    page();
    await press('Nobody approves their own pull request');
    await screen.findByRole('heading', { name: 'Nobody approves their own pull request' });
    expect(screen.queryByText(/blocks nothing/)).toBeNull();
    await press('Add rule');
    await screen.findByText('“Rule 3” is only reported: it blocks nothing.');
    const excluded = within(screen.getAllByRole('group', { name: 'Exclude' }).at(-1) as HTMLElement)
      .getAllByRole('checkbox', { checked: true })
      .map(({ parentElement }) => parentElement?.textContent);
    expect(excluded).toEqual(['The author of the pull request', 'The person who asked an agent for it']);
  });

  test('shows a fault in words, and asks for no proof then', async () => {
    page();
    await press('Change policy');
    await type('Approvers', '');
    await press('Review and save');
    expect(await alertText()).toBe('Rule “workflows”, approvers: Name at least one source of approvals.');
    expect(screen.queryByRole('heading', { name: 'What changes' })).toBeNull();
  });

  test('keeps the changes if another owner saved in the meantime, and shows what theirs changed', async () => {
    const theirs = policyOf(WORKFLOWS, { name: 'theirs' });
    let inForce = POLICY;
    const { requests } = page({
      [READ]: () => Response.json(inForce),
      [SET]: refusal('policyMoved'),
    });
    await edit();
    inForce = theirs;
    await type('One-time code', '123456');
    expect(await alertText()).toMatch('Another owner changed the policy');
    await screen.findByText(/added the rule “theirs”/);
    expect(await screen.findByLabelText('Approvals')).toHaveProperty('value', '3');
    await press('Continue with mine');
    await press('Review and save');
    await screen.findByText(/removed the rule “theirs”/);
    await type('One-time code', '123457');
    await waitFor(async () => {
      const sent = requests
        .filter(({ call }) => call === SET)
        .map(({ body }) => body as { replaces: string });
      expect(sent.map(({ replaces }) => replaces)).toEqual([await hashOf(POLICY), await hashOf(theirs)]);
    });
  });

  test('keeps the changes over a refused code, an outage and a reload', async () => {
    const client = page({ [SET]: refusal('wrongCode') }).client;
    await edit();
    await type('One-time code', '123456');
    expect(await alertText()).toMatch("That code isn't right.");
    await press('Back to editing');
    expect(await screen.findByLabelText('Approvals')).toHaveProperty('value', '3');
    expect(client.tab.getItem(`policy:${record.id}:9919`)).toContain('"approvals":3');
  });

  test('adds, moves and removes rules', async () => {
    page();
    await press('Change policy');
    await press('Add rule');
    const names = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    expect(names()).toEqual(['workflows', 'Rule 2 Reported only']);
    await press('Move Rule 2 up');
    expect(names()).toEqual(['Rule 2 Reported only', 'workflows']);
    await press('Remove workflows');
    expect(names()).toEqual(['Rule 2 Reported only']);
  });

  test('previews each recipe, and changes the draft alone when one is pressed', async () => {
    const answer = (body: unknown) => {
      const { policies } = body as { policies: Policy[] };
      const counts = policies.map((_, at) => ({ wait: 5 * at, pass: at === 2 ? 1 : 0 }));
      return Response.json({ open: 312, judged: 20, policies: counts });
    };
    const PREVIEW = 'POST /github-preview-policies';
    const { requests } = page({ [PREVIEW]: answer });
    await press('Change policy');
    await screen.findByText('Tested on 20 of 312 open pull requests.');
    screen.getByText('None is affected.');
    // One of them is what the policy in force has.
    screen.getByText('In force now.');
    screen.getByText('10 pull requests that pass now would have to wait. 1 that waits now would pass.');
    const sent = () => requests.filter(({ call }) => call === PREVIEW).map(({ body }) => body as object);
    expect(sent()).toMatchObject([{ ...REQUIRED, policies: RECIPES.map(({ add }) => add(POLICY)) }]);

    const keys = await screen.findByRole('button', { name: 'Passkeys and security keys only' });
    fireEvent.click(keys);
    expect(keys.getAttribute('aria-pressed')).toBe('true');
    const app = screen.getAllByRole('checkbox', { name: 'Authenticator app' }).at(-1);
    expect(app).toHaveProperty('checked', false);
    fireEvent.click(keys);
    await press('Nobody approves their own pull request');
    await screen.findByRole('heading', { name: 'Nobody approves their own pull request' });
    await press('Review and save');
    await screen.findByText(/added the rule “Nobody approves their own pull request”/);
    await screen.findByText('Tested on 20 of 312 open pull requests: none is affected.');
    const own = RECIPES.find(({ title }) => title.startsWith('Nobody'));
    expect(sent()[1]).toMatchObject({ policies: [own?.add(POLICY)] });
    expect(requests.some(({ call }) => call === SET)).toBe(false);
  });

  test('says that the open pull requests can’t be judged, and can be edited and saved all the same', async () => {
    page({ 'POST /github-preview-policies': refusal('tooManyRequests') });
    await press('Change policy');
    await screen.findByText(/^The open pull requests can't be tested now\./);
    await press('Vouched enrolment');
    await press('Review and save');
    expect(await screen.findByLabelText('One-time code')).toBeTruthy();
  });

  test('folds away what a rule doesn’t need, but not whom a new one excludes', async () => {
    page();
    await press('Change policy');
    await press('Add rule');
    const folds = (name: string) =>
      screen.getAllByText(name).map((summary) => summary.closest('details')?.open);
    expect(folds('Repositories, branches, files, authors and agents')).toEqual([true, false]);
    expect(folds('Approvers, exclusions and authenticators')).toEqual([false, true]);
    expect(folds('Accept only certain models')).toEqual([false]);
  });

  const REQUIRED = { org: 'octo-org', orgID: 9919 };
  const field = async (label: string) => (await screen.findAllByLabelText(label)).at(-1) as HTMLElement;
  const addRule = async () => {
    await press('Change policy');
    await press('Add rule');
  };

  test('says under a field which waiting pull requests its patterns match', async () => {
    const answer = (body: unknown) => {
      const { paths = [] } = body as { paths?: string[] };
      const first = [
        { repo: 'infra', pr: 12 },
        { repo: 'web', pr: 3 },
      ];
      const found = paths.includes('*.tf')
        ? { of: 12, matching: 2, first, unmatched: ['lib/**'] }
        : { of: paths.length - 1, matching: 0, first: [], unmatched: paths };
      return Response.json({ waiting: 40, repositories: null, branches: null, paths: found });
    };
    const { requests } = page({ 'POST /github-match-patterns': answer });
    await addRule();
    expect(screen.getAllByText(/\*\*\/\*\.tf/).length).toBeGreaterThan(0);
    const paths = await field('Changed files');
    fireEvent.change(paths, { target: { value: '*.tf\nlib/**\n[bad' } });
    await screen.findByText(
      'Matches 2 of 12 waiting pull requests that we looked at, of 40: infra #12, web #3.',
    );
    const warnings = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(warnings).toEqual(
      expect.arrayContaining([
        '*.tf matches files at the top alone. For those in folders too, write **/*.tf.',
        'lib/** matches none of them.',
        '[bad matches nothing. Brackets have no meaning here. Write “?bad”.',
      ]),
    );
    expect(requests.filter(({ call }) => call === 'POST /github-match-patterns').at(-1)?.body).toMatchObject({
      ...REQUIRED,
      paths: ['*.tf', 'lib/**'],
    });
    fireEvent.change(paths, { target: { value: 'docs/**' } });
    await screen.findByText('No pull request waits that it could be compared with.');
    fireEvent.change(paths, { target: { value: 'docs/**\nweb/**' } });
    await screen.findByText('Matches 0 of 1 waiting pull request that we looked at, of 40.');
  });

  test('says that patterns can’t be compared, and refuses a pattern that no name can match', async () => {
    page({ 'POST /github-match-patterns': refusal('githubUnavailable') });
    await addRule();
    fireEvent.change(await field('Changed files'), { target: { value: 'docs/**\n./x' } });
    await screen.findByText("The waiting pull requests can't be compared now.");
    await press('Review and save');
    expect(await alertText()).toBe('Rule “Rule 2”, paths: No name in a path is empty or “.”. Write “x”.');
  });
});
