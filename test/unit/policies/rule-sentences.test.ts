import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { faultSentence, parsePolicy } from '../../../src/contract/policy.ts';
import { explainRule } from '../../../src/contract/rule-words.ts';
import { whyNotCounted } from '../../../src/policies/why-not-counted.ts';
import { aPull } from '../../support/fakes.ts';
import {
  aPolicy,
  approvalBy,
  botDetails,
  botPull,
  detailsFor,
  type Known,
  MONA,
  type Name,
  someDetails,
} from '../../support/policies.ts';

describe('a rule in words', () => {
  it.each([
    [{}, 'Pull requests need 1 approval from a member.'],
    [
      {
        when: { repositories: ['web'], branches: ['main'], paths: ['.github/'] },
        require: { approvals: 2, from: ['@acme/security'] },
      },
      'Pull requests into `main` of `web` that touch `.github/` need 2 approvals from @acme/security.',
    ],
    [
      {
        enforced: false,
        when: { authors: 'machines' },
        require: {
          approvals: 2,
          from: ['members', 'collaborators', 'octocat'],
          permission: 'maintain',
          notBy: ['author', 'committers', 'pusher', 'initiator'],
          methods: ['passkey', 'security-key'],
          userVerification: 'required',
        },
      },
      'Pull requests by GitHub Apps or bots need 2 approvals from members, outside collaborators or octocat, with at ' +
        'least maintain permission, with a passkey or a security key, with user verification, not counting its author, the ' +
        'authors and committers of its commits, the person who pushed its head and the person who asked for it.',
    ],
    [
      { when: { authors: ['mona', '@acme/docs'], paths: ['docs/**'] }, require: { approvals: 0 } },
      'Pull requests by mona or @acme/docs alone that touch nothing but `docs/**` need no approval, if it is known who ' +
        'opened and pushed them and who wrote each commit, and GitHub verified the signature of each commit.',
    ],
    [
      { when: { authors: 'people', agents: true, paths: ['src/'] }, require: { approvals: 2 } },
      'Pull requests by people in which an agent had a hand that touch `src/` need 2 approvals from members.',
    ],
    [
      { require: { from: Array.from({ length: 11 }, (_, at) => `u${at}`) } },
      'Pull requests need 1 approval from u0, u1, u2, u3, u4, u5, u6, u7 or 3 more.',
    ],
  ])('%j', (rule, text) => {
    const [parsed] = aPolicy([rule]).rules;
    expect(parsed && explainRule(parsed)).toBe(text);
  });
});

describe('a policy’s agents', () => {
  it.each<[string, object, string | undefined]>([
    [
      'logins, bots and addresses',
      { agents: { logins: ['octo-ai', 'ci[bot]'], emails: ['ai@acme.dev'] } },
      undefined,
    ],
    ['a team', { agents: { logins: ['@acme/agents'] } }, 'agents.logins.0: A login is needed here, such as'],
    ['a name', { agents: { emails: ['Octo <ai@acme.dev>'] } }, 'agents.emails.0: Enter an e-mail address'],
    ['too many', { agents: { logins: Array(101).fill('x') } }, 'agents.logins: At most 100 entries.'],
    [
      'a rule about none',
      { rules: [{ name: 'x', when: { agents: false } }] },
      'rules.0.when.agents: Only true',
    ],
    [
      'a rule that asks for less',
      { rules: [{ name: 'x', when: { agents: true }, require: { approvals: 0 } }] },
      'rules.0.require.approvals: A rule about agents needs at least 1 approval.',
    ],
  ])('can be written as they are, or are refused: %s', (_what, sent, sentence) => {
    const { fault } = parsePolicy({ version: 1, ...sent });
    expect(fault && faultSentence(fault)).toEqual(sentence && expect.stringContaining(sentence));
  });
});

it('a policy names no more teams and paths than one judgement can afford', () => {
  const rulesOf = (count: number, rule: (at: number) => object) =>
    parsePolicy({
      version: 1,
      rules: Array.from({ length: count }, (_, at) => ({ name: `${at}`, ...rule(at) })),
    }).fault;
  const team = (at: number) => ({ require: { from: [`@acme/t${at % 50}`, `@ACME/T${at % 50}`, 'owners'] } });
  expect(rulesOf(100, team)).toBeUndefined();
  expect(rulesOf(51, (at) => ({ when: { authors: [`@acme/t${at}`] } }))).toEqual({
    path: ['rules'],
    message: 'At most 50 teams in all rules.',
  });
  const paths = Array.from({ length: 100 }, (_, at) => `*${at}*`);
  expect(rulesOf(5, () => ({ when: { paths } }))).toBeUndefined();
  expect(rulesOf(6, () => ({ when: { paths } }))?.message).toBe('At most 500 paths in all rules.');
});

it('a policy takes every login that GitHub has, also with hyphens at its ends', () => {
  const from = ['mees-', '-ACE-', '@-a--b-/security'];
  const authors = ['-ACE-', '-bot-[bot]'];
  expect(
    parsePolicy({ version: 1, rules: [{ name: 'x', when: { authors }, require: { from } }] }).fault,
  ).toBe(undefined);
});

it.each([
  ['policy', 0, 2],
  ['deployments', 0, 1],
  ['trusted-publishing', 1, 1],
])('the example of docs/%s.md is a policy', (page, at, rules) => {
  const text = readFileSync(`docs/${page}.md`, 'utf8');
  const yaml = [...text.matchAll(/```yaml\n(.*?)```/gs)].at(at)?.[1] ?? '';
  const { policy, fault } = parsePolicy(parse(yaml));
  expect([fault, policy?.rules.length]).toEqual([undefined, rules]);
});

describe('why an approval wouldn’t count', () => {
  const named = (require: object, when = {}) => ({ name: 'x', when, require });
  const lib = { paths: ['lib/**'] };
  it.each<[object[], Name, string | null, Partial<Known>?]>([
    [[], 'dana', null],
    [[], 'frank', 'this pull request needs an approval from a member'],
    [[named({ from: ['owners'] })], 'octocat', null],
    [[named({ from: ['owners', '@a/b'] })], 'dana', 'the rule “x” asks for an owner or @a/b'],
    [[named({ permission: 'admin' })], 'dana', 'the rule “x” asks for people with at least admin permission'],
    [
      [named({ notBy: ['author'] })],
      'mona',
      "the rule “x” doesn't count the author, and you opened this pull request",
    ],
    [[named({ methods: ['totp'] })], 'dana', 'the rule “x” asks for a one-time code'],
    // Also for one rule of several, and for a rule that only may apply.
    [[named({ from: ['owners'] }), { ...named({}), name: 'y' }], 'dana', null],
    [[named({ from: ['owners'] }, lib)], 'octocat', null, { files: { paths: [], isComplete: false } }],
    [[{ ...named({ from: ['owners'] }), enforced: false }], 'dana', null],
  ])('%j, %s: %s', async (rules, name, why, change = {}) => {
    const policy = aPolicy(rules);
    const grounds = { policy, details: await detailsFor(policy, someDetails(change)), hasRoots: false };
    const sentence = whyNotCounted(approvalBy(name), aPull(), grounds);
    expect(sentence).toBe(why && `Your approval wouldn't count: ${why}.`);
  });

  it('is that they asked for the change, unless another rule counts it', async () => {
    const notBy = named({ notBy: ['author', 'initiator'] });
    const why = async (rules: object[], name: Name) => {
      const policy = aPolicy(rules);
      const asked = botDetails({ initiators: { people: [MONA], areAllKnown: true } });
      const grounds = { policy, details: await detailsFor(policy, asked), hasRoots: false };
      return whyNotCounted(approvalBy(name), botPull(), grounds);
    };
    const sentence = 'You asked for this change, so another person has to approve it.';
    expect(await why([notBy], 'mona')).toBe(sentence);
    expect(await why([named({ from: ['owners'] }), { ...notBy, name: 'y' }], 'mona')).toBe(sentence);
    expect([await why([notBy], 'dana'), await why([notBy, { ...named({}), name: 'y' }], 'mona')]).toEqual([
      null,
      null,
    ]);
  });

  it('says first what the organization doesn’t accept at all', async () => {
    const policy = aPolicy([{ require: { from: ['owners'] } }], { assurance: { methods: ['security-key'] } });
    const details = await detailsFor(policy, someDetails());
    expect(whyNotCounted(approvalBy('dana'), aPull(), { policy, details, hasRoots: false })).toBe(
      "octo-org doesn't accept passkeys. Register a security key.",
    );
  });

  it('names the rule by which none is needed', async () => {
    const policy = aPolicy([{ name: 'bots', when: { authors: 'machines' }, require: { approvals: 0 } }]);
    const details = await detailsFor(policy, botDetails());
    expect(whyNotCounted(approvalBy('dana'), botPull(), { policy, details, hasRoots: false })).toBe(
      'This pull request needs no approval, by the rule “bots”.',
    );
  });
});
