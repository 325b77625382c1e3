import { expect, it } from '@jest/globals';
import type { AskedBy } from '../../../src/contract/inbox.ts';
import type { WaitingPull } from '../../../src/inbox/ports.ts';
import { type Standing, waitsFor } from '../../../src/inbox/waits-for.ts';
import type { Lack, Organization } from '../../../src/organizations/ports.ts';
import { aWaitingPull } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';

const MEMBERS = (['mona', 'octocat', 'dana'] as const).map((login, at) => ({
  githubId: at + 2,
  login,
  role: at === 1 ? ('admin' as const) : ('member' as const),
}));
const TEAM = '@octo-org/security';
const inTeam = { teams: new Set([TEAM]) };
const OWNER: Partial<Standing> = { githubId: 3, login: 'octocat', role: 'admin' };
const OWNERS = { from: ['owners'] };
const EARLIER: Partial<Standing> = { hasApprovedEarlier: () => true };
const reviewOf = (reviewers: object) => ({ pull: { reviewers: { people: [], teams: [], ...reviewers } } });

type Given = {
  require?: object;
  lack?: Partial<Lack>;
  pull?: Partial<WaitingPull>;
  who?: Partial<Standing>;
  permission?: 'read' | 'write';
  account?: 'User';
};

/** Tells why a pull request waits for mona, a member with write permission, or that it doesn't. */
it.each<[what: string, asked: AskedBy | null | 'not', given: Given]>([
  ['any member', null, {}],
  ['nobody of the rule that is left', 'not', { lack: { rule: 'gone' } }],
  ['no owner’s approval', 'not', { require: { from: ['owners'] } }],
  ['the only owner', 'last', { require: { from: ['owners'] }, who: OWNER }],
  [
    'the only owner, where somebody else is named',
    null,
    { require: { from: ['owners', 'dana'] }, who: OWNER },
  ],
  ['a login', 'named', { require: { from: ['octocat', 'MONA'] } }],
  ['a commit that somebody denied', 'not', { pull: { denied: { login: 'dana', reason: 'No.', at: '' } } }],
  ['another login', 'not', { require: { from: ['octocat'] } }],
  ['a team', 'named', { require: { from: ['@Octo-Org/security'] }, who: inTeam }],
  ['another team', 'not', { require: { from: [TEAM] } }],
  ['an author who is excluded', 'not', { require: {}, lack: { excluded: [2] } }],
  ['one who has approved', 'not', { require: { approvals: 2 }, lack: { counted: [2] } }],
  [
    'the second of two who are left',
    'last',
    { require: { approvals: 2 }, lack: { lacking: 2, excluded: [3] } },
  ],
  ['one of two who are left', null, { require: {}, lack: { excluded: [3] } }],
  ['too low a permission', 'not', { require: { permission: 'maintain' } }],
  ['a requested reviewer', 'review', reviewOf({ people: [2] })],
  ['another one’s review', null, reviewOf({ people: [3], teams: ['security'] })],
  ['a requested team', 'review', { ...reviewOf({ teams: ['Security'] }), who: inTeam }],
  ['a reviewer who doesn’t count', 'not', { ...reviewOf({ people: [2] }), require: { from: ['owners'] } }],
  ['one who approved an earlier commit', 'earlier', { who: EARLIER }],
  [
    'the only owner, who approved an earlier commit',
    'earlier',
    { require: OWNERS, who: { ...OWNER, ...EARLIER } },
  ],
  ['one who approved an earlier commit and doesn’t count', 'not', { require: OWNERS, who: EARLIER }],
  ['one who has just approved it', 'not', { who: { hasJustApproved: () => true } }],
  ['a stranger', 'not', { who: { role: null } }],
  ['a reader of a personal account', 'not', { account: 'User', permission: 'read' }],
  ['a writer of a personal account', null, { account: 'User' }],
])('is known whether a pull request waits for %s', (_what, asked, given) => {
  const { require, lack, who, permission = 'write' } = given;
  const rule = require ? 'rule 1' : '';
  const lacks = [{ rule, missing: 'More.', lacking: 1, counted: [], excluded: [], ...lack }];
  const pull = aWaitingPull({ lacks, ...given.pull });
  const mona = { githubId: 2, login: 'mona', role: 'member' as const, teams: new Set<string>() };
  const own = { hasApprovedEarlier: () => false, hasJustApproved: () => false };
  const where = {
    org: { name: 'octo-org', accountType: given.account ?? 'Organization' } as Organization,
    policy: aPolicy(require ? [{ require }] : []),
    pools: { members: MEMBERS, owners: MEMBERS.filter(({ role }) => role === 'admin') },
  };
  const waits = waitsFor(pull, { ...mona, ...own, permissionIn: () => permission, ...who }, where);
  expect(waits ? waits.asked : 'not').toBe(asked);
});
