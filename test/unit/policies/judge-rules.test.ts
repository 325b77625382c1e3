import { describe, expect, it } from '@jest/globals';
import { judgePull } from '../../../src/approvals/judge/judge.ts';
import type { Approval, PullRequest } from '../../../src/approvals/ports.ts';
import type { Organization } from '../../../src/organizations/ports.ts';
import { type Contributor, NO_DETAILS } from '../../../src/policies/details.ts';
import { namesCollaborators } from '../../../src/policies/details-to-read.ts';
import { policyEffects, UNMEETABLE_POLICY } from '../../../src/policies/policy.ts';
import { aPull, aPullAuthor } from '../../support/fakes.ts';
import {
  aPolicy,
  approvalBy,
  BOT,
  botDetails,
  botPull,
  contributor,
  detailsFor,
  type Known,
  MONA,
  type Name,
  someDetails,
} from '../../support/policies.ts';

type Given = { pull?: PullRequest; details?: Known; others?: object };
type Approvals = (Name | Approval)[];

async function judged(
  rules: object[],
  approvals: Approvals,
  { pull = aPull(), details = someDetails(), others }: Given,
) {
  const given = approvals.map((one) => (typeof one === 'string' ? approvalBy(one) : one));
  const policy = aPolicy(rules, others);
  const known = await detailsFor(policy, details, pull);
  const grounds = { policy, details: new Map([[pull.number, known]]), hasRoots: false };
  return judgePull(pull, { approvals: given, denials: [] }, grounds);
}

/** The rules, or what one rule requires, by whom the pull request is approved, and whether it passes. */
type Case = [what: string, asked: object[] | object, approvals: Approvals, passes: boolean, given?: Given];

function cases(...all: Case[]) {
  it.each(all)('%s', async (_what, asked, approvals, passes, given = {}) => {
    const rules = Array.isArray(asked) ? asked : [{ require: asked }];
    expect((await judged(rules, approvals, given)).passed).toBe(passes);
  });
}

const two = { require: { approvals: 2 } };
const owners = { from: ['owners'] };
const incomplete = { paths: ['src/app.ts'], isComplete: false };
const commitsOf = (...people: (typeof MONA)[]) => ({
  people,
  areAllKnown: true,
  areAllVerified: true,
  commits: [],
  isComplete: true,
});
const other = { ...commitsOf(), isComplete: false };
const DANA = contributor('dana', 4);
const knowing = (change: Partial<Known>): Given => ({ details: someDetails(change) });
const PARTLY = knowing({ files: incomplete });
const UNLINKED = knowing({ commits: { ...commitsOf(MONA), areAllKnown: false } });
const noFile = { paths: [], isComplete: true };
const assured = (assurance: object): Given => ({ others: { assurance } });
/** The pull request has more authors than GitHub is asked about, so the last one isn't among the known people. */
const AFTER_20 = knowing({ commits: commitsOf(MONA, contributor('author-21', 99)) });
const UNREAD = knowing({ unreadTeams: ['@octo-org/security'] });
const ENDLESS = `*${'a'.repeat(98)}b*c`;
const LONG = aPull({ base: 'a'.repeat(20_000) });
const DELETED = { pull: aPull({ author: null }) };
const BY_BOT = { pull: botPull() };
const TEAM = '@octo-org/security';
const without = (when: object = {}) => ({ when, require: { approvals: 0 } });

describe('without a rule that applies', () => {
  cases(
    ['one approval of a member is asked for', [], [], false],
    ['the author’s own counts', [], ['mona'], true],
    ['an outside collaborator’s doesn’t', [], ['frank'], false],
    ['it does if they are a member by now', [], [approvalBy('dana', { fromOutside: true })], true],
    ['nothing has to be known', [], ['dana'], true, { details: { ...NO_DETAILS, files: null } }],
    ['a reported rule doesn’t replace it', [{ ...without(), enforced: false }], [], false],
    ['a reported rule asks for nothing', [{ ...two, enforced: false }], ['dana'], true],
    ['a rule for another repository isn’t', [{ ...two, when: { repositories: ['web-*'] } }], ['dana'], true],
    ['a rule for another branch isn’t', [{ ...two, when: { branches: ['next'] } }], ['dana'], true],
  );
});

describe('a rule applies', () => {
  it.each<[what: string, when: object, applies: boolean, given?: Given]>([
    ['to its repository, by GitHub’s rules on capitals', { repositories: ['HEL*'] }, true],
    ['to its branch', { branches: ['ma?n'] }, true],
    ['to no branch that differs in capitals', { branches: ['MAIN'] }, false],
    ['below a name', { branches: ['release/**'] }, true, { pull: aPull({ base: 'release/a/b' }) }],
    // policy-bot: changed_files, from_branch, targets_branch, has_author_in, author_is_only_contributor
    ['to a file in its paths', { paths: ['docs/**'] }, true],
    ['to no other file', { paths: ['lib/**'] }, false],
    ['to everything below a folder', { paths: ['src/'] }, true],
    ['to a file by its full path only', { paths: ['*.ts'] }, false],
    ['to a file of that name anywhere', { paths: ['**/*.ts'] }, true],
    ['to the old path of a renamed file', { paths: ['src/**'] }, true],
    ['if not all files are known', { paths: ['lib/**'] }, true, PARTLY],
    ['if the files aren’t known', { paths: ['lib/**'] }, true, knowing({ files: null })],
    ['if all its parts apply', { branches: ['main'], paths: ['lib/**'] }, false],
    ['to people', { authors: 'people' }, true],
    ['to no machine', { authors: 'machines' }, false],
    ['to a pull request that a bot opened', { authors: 'machines' }, true, BY_BOT],
    ['to a bot’s commit', { authors: 'machines' }, true, knowing({ commits: commitsOf(MONA, BOT) })],
    ['to a machine if not all commits are known', { authors: 'machines' }, true, knowing({ commits: other })],
    ['to a machine if one isn’t known', { authors: 'machines' }, true, UNLINKED],
    ['to a machine if the opener is deleted', { authors: 'machines' }, true, DELETED],
    [
      'to no person if a bot did it',
      { authors: 'people' },
      false,
      { pull: botPull(), details: botDetails() },
    ],
    ['to an author by their login, in any capitals', { authors: ['MONA'] }, true],
    ['to nobody else', { authors: ['dana'] }, false],
    ['to a bot by its name', { authors: ['dependabot[bot]'] }, true, BY_BOT],
    [
      'to an author of a team',
      { authors: [TEAM] },
      true,
      knowing({ commits: commitsOf(contributor('hana', 8)) }),
    ],
    ['to no author outside the team', { authors: [TEAM] }, false],
    [
      'to no bot, which belongs to no team',
      { authors: [TEAM] },
      false,
      { pull: botPull(), details: botDetails() },
    ],
    ['if an author’s teams weren’t asked for', { authors: [TEAM] }, true, AFTER_20],
    [
      'to nobody else’s if all teams are known',
      { authors: [TEAM] },
      false,
      knowing({ commits: commitsOf(DANA) }),
    ],
    ['if its branch takes too long to match', { branches: [ENDLESS] }, true, { pull: LONG }],
    ['not if one part doesn’t match and one may', { authors: [TEAM], paths: ['lib/**'] }, false, UNREAD],
    ['if the team can’t be read', { authors: [TEAM] }, true, knowing({ unreadTeams: [TEAM] })],
  ])('%s', async (_what, when, applies, given = {}) => {
    const verdict = await judged([{ when, require: { from: ['owners'] } }], ['dana'], given);
    expect(verdict.passed).toBe(!applies);
  });

  it('and a rule that only may apply asks for its approvals and for the seed’s', async () => {
    const rule = { when: { paths: ['lib/**'] }, require: { from: ['collaborators'] } };
    expect((await judged([rule], ['frank'], PARTLY)).passed).toBe(false);
    expect((await judged([rule], ['frank', 'dana'], PARTLY)).passed).toBe(true);
  });
});

const askedFor = (people: Contributor[], areAllKnown = true) =>
  knowing({ initiators: { people, areAllKnown } });

describe('a rule counts', () => {
  const unverified = approvalBy('dana', { userVerified: false });
  cases(
    // policy-bot: count, users, teams, organizations, permissions, allow_author, allow_contributor
    ['different people', [two], ['dana', 'octocat'], true],
    ['a person once', [two], ['dana', approvalBy('dana', { pr: 8 })], false],
    ['nobody who isn’t a member any more', {}, ['gus'], false],
    ['owners', owners, ['octocat'], true],
    ['no member as an owner', owners, ['dana'], false],
    ['a login', { from: ['Dana'] }, ['dana'], true],
    ['no other login', { from: ['dana'] }, ['octocat'], false],
    ['a login by its present name', { from: ['dana'] }, [approvalBy('dana', { login: 'old' })], true],
    ['nobody by a former name', { from: ['old'] }, [approvalBy('dana', { login: 'old' })], false],
    ['a team', { from: [TEAM] }, ['erin'], true],
    ['nobody outside the team', { from: [TEAM] }, ['dana'], false],
    ['nobody of the team who left the organization', { from: [TEAM] }, ['gus'], false],
    ['an owner or the team', { from: ['owners', TEAM], approvals: 2 }, ['erin', 'octocat'], true],
    ['an outside collaborator if it names them', { from: ['collaborators'] }, ['frank'], true],
    ['no member as a collaborator', { from: ['collaborators'] }, ['dana'], false],
    ['no one below its permission', { from: ['collaborators'], permission: 'maintain' }, ['frank'], false],
    ['no collaborator as a member', {}, ['frank'], false],
    ['a permission', { permission: 'write' }, ['dana'], true],
    ['a higher permission', { permission: 'triage' }, ['hana'], true],
    ['no lower permission', { permission: 'admin' }, ['hana'], false],
    ['a method', { methods: ['passkey'] }, ['dana'], true],
    ['no other method', { methods: ['security-key'] }, ['dana'], false],
    ['user verification', { userVerification: 'required' }, ['dana'], true],
    ['no approval without it', { userVerification: 'required' }, [unverified], false],
    ['nobody whose details are missing', {}, ['dana'], false, knowing({ people: [] })],
    ['not the author', { notBy: ['author'] }, ['mona'], false],
    ['anybody but the author', { notBy: ['author'] }, ['dana'], true],
    ['no committer', { notBy: ['committers'] }, ['dana'], false, knowing({ commits: commitsOf(DANA) })],
    ['not the pusher', { notBy: ['pusher'] }, ['dana'], false, knowing({ pushers: [MONA, DANA] })],
    ['one more if the opener is deleted', { notBy: ['author'] }, ['dana'], false, DELETED],
    ['two then', { notBy: ['author'] }, ['dana', 'erin'], true, DELETED],
    ['one more if the pusher isn’t known', { notBy: ['pusher'] }, ['dana'], false, knowing({ pushers: [] })],
    ['one more if one isn’t', { notBy: ['pusher'] }, ['dana'], false, knowing({ pushers: [MONA, null] })],
    [
      'not a known one, either',
      { notBy: ['pusher'] },
      ['mona', 'dana'],
      false,
      knowing({ pushers: [MONA, null] }),
    ],
    ['not who asked for it', { notBy: ['initiator'] }, ['dana'], false, askedFor([DANA])],
    ['anybody else', { notBy: ['initiator'] }, ['erin'], true, askedFor([DANA])],
    ['anybody if nobody asked', { notBy: ['initiator'] }, ['dana'], true, askedFor([])],
    [
      'one more if not all who asked are known',
      { notBy: ['initiator'] },
      ['erin'],
      false,
      askedFor([], false),
    ],
    [
      'two then, but no known one',
      { notBy: ['initiator'] },
      ['dana', 'erin'],
      false,
      askedFor([DANA], false),
    ],
    ['one more then for commits', { notBy: ['committers'] }, ['dana'], false, knowing({ commits: other })],
    ['known committers out even then', { notBy: ['committers'] }, ['dana', 'mona'], false, UNLINKED],
    [
      'one more only, however much isn’t known',
      { notBy: ['author', 'committers', 'pusher'] },
      ['dana', 'erin'],
      true,
      { pull: aPull({ author: null }), details: someDetails({ pushers: [], commits: null }) },
    ],
    ['each rule for itself: all have to be met', [two, { require: owners }], ['dana', 'erin'], false],
    ['one approval for several rules', [two, { require: owners }], ['dana', 'octocat'], true],
    ['nothing unaccepted', {}, ['dana'], false, assured({ methods: ['security-key'] })],
    ['nothing unaccepted for the seed', [], [unverified], false, assured({ userVerification: 'required' })],
  );
});

describe('a rule that asks for no approval', () => {
  const bot = { pull: botPull(), details: botDetails() };
  const machines = [without({ authors: 'machines' })];
  const details = (change: Partial<Known>) => ({ ...bot, details: botDetails(change) });
  const commits = (change: object) => details({ commits: { ...commitsOf(BOT), ...change } });
  cases(
    ['passes what a bot opened, wrote and pushed', machines, [], true, bot],
    ['passes anybody’s if it says so', [without()], [], true],
    ['still leaves the others to be met', [...machines, two], [], false, bot],
    ['doesn’t pass a person’s commit', machines, [], false, commits({ people: [BOT, MONA] })],
    ['doesn’t pass what a person opened', machines, [], false, { ...bot, pull: aPull() }],
    ['doesn’t pass what a person pushed', machines, [], false, details({ pushers: [BOT, MONA] })],
    ['doesn’t pass if the pusher isn’t known', machines, [], false, details({ pushers: [] })],
    ['doesn’t pass if one of its pushers isn’t', machines, [], false, details({ pushers: [BOT, null] })],
    ['doesn’t pass if the opener is deleted', [without()], [], false, DELETED],
    ['doesn’t pass if an author isn’t known', machines, [], false, commits({ areAllKnown: false })],
    ['doesn’t pass an unsigned commit', machines, [], false, commits({ areAllVerified: false })],
    ['doesn’t pass if not all commits are listed', machines, [], false, commits({ isComplete: false })],
    ['doesn’t pass without a known commit', machines, [], false, commits({ people: [] })],
    ['asks for one approval then', machines, ['dana'], true, commits({ areAllKnown: false })],
    ['passes files that are all within its paths', [without({ paths: ['src/**', 'docs/**'] })], [], true],
    ['doesn’t pass another file with them', [without({ paths: ['docs/**'] })], [], false],
    ['doesn’t pass if not all files are listed', [without({ paths: ['**'] })], [], false, PARTLY],
    [
      'doesn’t pass if no file is listed',
      [without({ paths: ['**'] })],
      [],
      false,
      knowing({ files: noFile }),
    ],
    ['doesn’t pass if its branch may match', [without({ branches: [ENDLESS] })], [], false, { pull: LONG }],
    [
      'doesn’t pass for a team that an author may belong to',
      [without({ authors: ['anyone-else', TEAM] })],
      [],
      false,
      {
        pull: aPull({ author: aPullAuthor({ id: 99, login: 'author-21' }) }),
        details: someDetails({
          commits: commitsOf(contributor('author-21', 99)),
          pushers: [contributor('author-21', 99)],
        }),
      },
    ],
    [
      'passes for one team’s people',
      [without({ authors: ['@octo-org/docs'] })],
      [],
      true,
      {
        pull: aPull({ author: aPullAuthor({ id: 8, login: 'hana' }) }),
        details: someDetails({
          commits: commitsOf(contributor('hana', 8)),
          pushers: [contributor('hana', 8)],
        }),
      },
    ],
  );
});

describe('a policy', () => {
  it('counts each person’s first approval, and no more people than it asks for', async () => {
    const first = approvalBy('dana', { id: 'first' });
    const { rules } = await judged([two], [first, approvalBy('dana', { id: 'second' }), 'erin', 'hana'], {});
    expect(rules.map(({ counted }) => counted.map(({ id, login }) => [login, id === 'second']))).toEqual([
      [
        ['dana', false],
        ['erin', false],
      ],
    ]);
  });

  it('that isn’t ours is met by nobody, and lets nobody’s first authenticator count alone', () => {
    expect(UNMEETABLE_POLICY).toMatchObject({
      enrolment: { mode: 'vouched' },
      rules: [
        { enforced: true, when: { authors: 'anyone' }, require: { approvals: 1, from: [] } },
        { enforced: true, when: { environments: ['**'] }, require: { approvals: 1, from: [] } },
      ],
    });
  });

  it('names outside collaborators by an enforced rule that is about the repository and counts approvals', () => {
    const from = ['collaborators'];
    const names = (rule: object, repository?: string) => namesCollaborators(aPolicy([rule]), repository);
    expect(names({ when: { repositories: ['web-*'] }, require: { from } }, 'Web-shop')).toBe(true);
    expect(names({ when: { repositories: ['web-*'] }, require: { from } }, 'shop')).toBe(false);
    expect(names({ require: { from, approvals: 0 } })).toBe(false);
    expect(names({ require: { from }, enforced: false })).toBe(false);
  });

  it('is announced to the owners, and to the person who set it once', () => {
    const told = (owners: string[]) =>
      policyEffects(
        { userId: 'mona', githubId: 2, login: 'mona' },
        {
          org: { id: 'org', name: 'octo-org' } as Organization,
          owners,
          before: aPolicy([]),
          after: aPolicy([{}]),
          number: 1,
          proofSha256: undefined,
        },
      ).notices.map(({ userId }) => userId);
    expect(told(['octocat'])).toEqual(['mona', 'octocat']);
    expect(told(['octocat', 'mona'])).toEqual(['mona', 'octocat']);
  });

  it('says of each rule whether it is met, by whom, and what is missing', async () => {
    const rules = [
      { name: 'two eyes', require: { approvals: 2, notBy: ['author', 'pusher'] } },
      {
        name: 'security',
        when: { paths: ['lib/**'] },
        require: { from: [TEAM], methods: ['passkey', 'security-key'] },
      },
      {
        name: 'owners',
        enforced: false,
        require: { ...owners, permission: 'admin', userVerification: 'required' },
      },
      { name: 'elsewhere', when: { branches: ['next'] } },
    ];
    const details = someDetails({ pushers: [], files: incomplete });
    const verdict = await judged(rules, ['dana', 'erin', 'mona'], { details });
    const seen = verdict.rules.map(({ counted, ...rule }) => ({
      ...rule,
      by: counted.map(({ login }) => login),
    }));
    expect(seen).toEqual([
      {
        name: 'two eyes',
        enforced: true,
        met: false,
        approvals: 3,
        by: ['dana', 'erin'],
        missing:
          'Needs 1 more approval from a member, not counting its author and the person who pushed its head; ' +
          "one more than usual because OTP Guard doesn't know who pushed its head.",
      },
      { name: 'security', enforced: true, met: true, approvals: 1, by: ['erin'], missing: '' },
      {
        name: 'owners',
        enforced: false,
        met: false,
        approvals: 1,
        by: [],
        missing:
          'Needs 1 more approval from an owner, with at least admin permission, with user verification.',
      },
    ]);
    expect(verdict.approvals.map(({ login }) => login)).toEqual(['dana', 'erin']);
  });
});
