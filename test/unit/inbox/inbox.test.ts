import { describe, expect, it } from '@jest/globals';
import type { InboxQuestion } from '../../../src/contract/inbox.ts';
import { inbox } from '../../../src/inbox/inbox.ts';
import type { WaitingPull } from '../../../src/inbox/ports.ts';
import type { Lack } from '../../../src/organizations/ports.ts';
import { codeOf } from '../../support/code-of.ts';
import { aDeployment, anInstallation, aWaitingPull, HEAD } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';
import { mona, octocat, world } from './world.ts';

type World = Awaited<ReturnType<typeof world>>;

const OLDER = aWaitingPull({ pr: 8, since: new Date('2026-05-03T09:00:00Z') });
const SECRET = aWaitingPull({ repoId: 666, repoName: 'secret', title: 'Fire everybody' });

const shown = (w: World, session = mona, accessToken: string | undefined = `of ${session.login}`) =>
  inbox(w, { session, accessToken, tab: 'may-approve' });
const ask = (w: World, question: InboxQuestion) =>
  inbox(w, { session: mona, accessToken: 'of mona', tab: 'may-approve', ...question });
const numbers = async (w: World, question: InboxQuestion = {}) =>
  (await ask(w, question)).pulls.map(({ pr }) => pr);
const EMPTY = {
  ...{ forYou: 0, mayApprove: 0, opens: 'for-you', asksOthers: false, total: 0, isComplete: true },
  ...{ pulls: [], next: null, repositories: [], rules: [], hasAgents: false },
  ...{ deployments: [], deploymentsIn: { 'for-you': 0, 'may-approve': 0 } },
};
/** Mona’s review is requested. */
const REVIEW = { reviewers: { people: [mona.githubId], teams: [] } };

it('shows the longest waiting first, and nothing of repositories that GitHub doesn’t show to the person', async () => {
  const w = await world();
  w.wait(aWaitingPull(), SECRET, OLDER);
  const answer = await shown(w);
  expect([answer.total, answer.pulls.map(({ pr }) => pr)]).toEqual([2, [8, 7]]);
  expect(JSON.stringify(answer)).not.toContain('secret');
  w.tokens.shown.clear();
  w.visible.forget(mona.githubId);
  expect(await shown(w)).toEqual(EMPTY);
});

describe('the deployments in the inbox', () => {
  const of = async (w: World, question: InboxQuestion = {}) => {
    const { deployments, deploymentsIn } = await ask(w, question);
    return [deployments.map(({ run, asked }) => [run, asked]), Object.values(deploymentsIn)];
  };
  const lack = (change: Partial<Lack> = {}): Lack => ({
    ...{ rule: '', missing: 'One.', lacking: 1, counted: [], excluded: [], ...change },
  });

  it('are those of repositories that GitHub shows to the person, with their page', async () => {
    const w = await world();
    w.deployments.stored.push(aDeployment(), aDeployment({ repoId: SECRET.repoId, environment: 'secret' }));
    const { deployments, ...answer } = await shown(w);
    const { orgId, installationId } = w.org;
    expect(deployments).toEqual([
      {
        ...{ org: 'octo-org', repo: 'hello', environment: 'release', run: 77, ref: 'main', head: HEAD },
        ...{ since: '2026-05-04T11:00:00.000Z', asked: null, denied: null },
        missing: ['Needs 1 approval from any member.'],
        approval: `/deploy?owner=octo-org&ownerID=${orgId}&installation=${installationId}&repo=hello&run=77&environment=release`,
      },
    ]);
    expect(answer).toMatchObject({ mayApprove: 0, opens: 'may-approve', total: 0, pulls: [] });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('are those that the person’s approval would count for, in the tab that says why', async () => {
    const w = await world();
    const from = (...people: string[]) => ({ require: { from: people } });
    w.policies.policy = aPolicy([from('mona'), from('octocat'), from('members')]);
    w.deployments.stored.push(
      aDeployment({ run: 1, lacks: [lack({ rule: 'rule 1' })] }),
      aDeployment({ run: 2, lacks: [lack({ rule: 'rule 2' })] }),
      aDeployment({ run: 3, lacks: [lack({ rule: 'rule 3', counted: [mona.githubId] })] }),
      aDeployment({ run: 4, lacks: [lack({ rule: 'rule 3', excluded: [mona.githubId] })] }),
      aDeployment({ run: 5, denied: { login: 'octocat', reason: 'No.', at: '' } }),
      // GitHub asked a moment ago, and the first reading hasn't ended.
      aDeployment({ run: 6, lacks: [] }),
      aDeployment({ run: 7, lacks: [lack({ rule: 'rule 3' })] }),
      aDeployment({ run: 8, state: 'approved' }),
    );
    expect(await of(w, { tab: 'for-you' })).toEqual([[[1, 'named']], [1, 1]]);
    expect(await of(w)).toEqual([[[7, null]], [1, 1]]);
    expect((await ask(w, { tab: 'auto' })).opens).toBe('for-you');
  });

  it('are next to pull requests, in the same order, and found by the same filters', async () => {
    const w = await world();
    w.wait(aWaitingPull(), OLDER);
    const at = (time: string) => new Date(`2026-05-0${time}:00Z`);
    w.deployments.stored.push(
      aDeployment({ run: 2, since: at('4T10:00'), ref: 'v1.2.0' }),
      aDeployment({ run: 1, since: at('1T10:00') }),
    );
    expect(await of(w)).toEqual([
      [
        [1, null],
        [2, null],
      ],
      [0, 2],
    ]);
    expect(await of(w, { order: 'newest' })).toEqual([
      [
        [2, null],
        [1, null],
      ],
      [0, 2],
    ]);
    expect(await of(w, { search: 'V1.2.0 to rel' })).toEqual([[[2, null]], [0, 2]]);
    expect(await of(w, { repository: 'octo-org/other' })).toEqual([[], [0, 2]]);
    expect(await of(w, { agents: true })).toEqual([[], [0, 2]]);
    expect(await ask(w, {})).toMatchObject({
      mayApprove: 2,
      total: 2,
      pulls: [{ pr: 8 }, { pr: 7 }],
      next: null,
    });
  });

  it('cost GitHub no request in an organization in which nothing waits', async () => {
    const w = await world();
    await ask(w, {});
    expect(w.stage.calls).not.toContain('userTokens.repositories');
  });
});

it('takes no other person’s token, though it was that person’s a moment ago', async () => {
  const w = await world();
  w.wait(aWaitingPull());
  w.tokens.shown.delete('of mona');
  expect((await shown(w, octocat)).total).toBe(1);
  expect(await codeOf(shown(w, mona, 'of octocat'))).toBe('otherGitHubAccount');
  expect(await codeOf(shown(w, mona, 'made up'))).toBe('notAuthorizedWithGitHub');
  expect(await codeOf(inbox(w, { session: mona }))).toBe('missingAuthToken');
  expect((await shown(w)).total).toBe(0);
});

it.each<[string, (w: World) => unknown]>([
  ['who was removed', (w) => w.memberships.save(w.org, mona, null)],
  ['if the App is suspended', (w) => w.organizations.save(anInstallation({ suspended: true }))],
  ['if GitHub says that it is', (w) => Object.assign(w.tokens.visible[0] ?? {}, { suspended: true })],
])('is empty for a member %s', async (_what, change) => {
  const w = await world();
  w.wait(aWaitingPull());
  await change(w);
  expect(await numbers(w)).toEqual([]);
});

it('shows an outside collaborator only what a rule welcomes them for', async () => {
  const w = await world();
  w.policies.policy = aPolicy([{ require: { from: ['collaborators'] } }]);
  w.wait(
    aWaitingPull({ lacks: [{ rule: 'rule 1', missing: 'One.', lacking: 1, counted: [], excluded: [] }] }),
    OLDER,
  );
  expect(await numbers(w)).toEqual([8]);
  await w.memberships.save(w.org, mona, null);
  expect(await numbers(w)).toEqual([7]);
});

it('asks GitHub once in five minutes for each person and token, and again after a failure', async () => {
  const w = await world();
  w.wait(aWaitingPull());
  for (const call of ['userTokens.installations', 'userTokens.repositories']) {
    w.stage.fail(call, 'githubUnavailable');
    expect(await codeOf(shown(w))).toBe('githubUnavailable');
  }
  w.stage.calls.splice(0);
  for (let poll = 0; poll < 11; poll += 1) {
    await shown(w);
    w.clock.pass(30_000);
  }
  const asked = w.stage.calls.filter((call) => /^(userTokens|teams|members|installations)\./.test(call));
  expect(asked).toEqual([
    'userTokens.repositories',
    'userTokens.check',
    'userTokens.installations',
    'userTokens.repositories',
  ]);
});

it('counts 1,000 pull requests, and reads them once in ten seconds for all people', async () => {
  const w = await world();
  w.wait(...Array.from({ length: 10_001 }, (_, at) => aWaitingPull({ pr: at + 1 })));
  const answers = await Promise.all([shown(w), shown(w, octocat), shown(w)]);
  const counts = answers.map((one) => [one.mayApprove, one.total, one.pulls.length, one.isComplete]);
  expect(counts).toEqual(Array(3).fill([1_000, 1_000, 25, false]));
  // Each has to know whether there are many.
  expect(w.count('waitingPulls.list')).toBe(1 + answers.length);
  w.wait(...Array<WaitingPull>(100).fill(OLDER));
  w.clock.pass(9_999);
  expect((await shown(w)).total).toBe(1_000);
  w.clock.pass(1);
  expect((await shown(w)).total).toBe(100);
  w.wait(OLDER);
  expect(await numbers(w)).toEqual([8]);
});

it('has a tab for what waits for the person and no other, and one for all else', async () => {
  const w = await world();
  w.wait(aWaitingPull({ pr: 1 }), aWaitingPull({ pr: 2, ...REVIEW }), aWaitingPull({ pr: 3 }));
  expect(await ask(w, { tab: undefined })).toMatchObject({ forYou: 1, mayApprove: 2, total: 1 });
  expect([await numbers(w, { tab: 'for-you' }), await numbers(w)]).toEqual([[2], [1, 3]]);
  w.own.push({ repoId: 42, pr: 3, head: 'f'.repeat(40), reported: new Date(0) });
  const answer = await ask(w, { tab: 'for-you' });
  expect(answer.pulls.map(({ pr, asked }) => [pr, asked])).toEqual([
    [2, 'review'],
    [3, 'earlier'],
  ]);
});

it('opens what is asked of the person, and else what is open to anyone', async () => {
  const w = await world();
  const auto = async () => {
    const { opens, pulls } = await ask(w, { tab: 'auto' });
    return [opens, pulls.map(({ pr }) => pr)];
  };
  expect(await auto()).toEqual(['for-you', []]);
  w.wait(aWaitingPull({ pr: 1 }));
  expect(await auto()).toEqual(['may-approve', [1]]);
  // A call without a tab is about what is asked of the person, as before.
  expect((await ask(w, { tab: undefined })).total).toBe(0);
  w.wait(aWaitingPull({ pr: 1 }), aWaitingPull({ pr: 2, ...REVIEW }));
  expect(await auto()).toEqual(['for-you', [2]]);
});

it.each<[string, boolean, Partial<WaitingPull>]>([
  ['nobody', false, {}],
  ['nobody, if GitHub left the reviewers out', false, { reviewers: null }],
  ['another reviewer', true, { reviewers: { people: [octocat.githubId], teams: [] } }],
  ['another team', true, { reviewers: { people: [], teams: ['security'] } }],
  [
    'another person in a rule',
    true,
    { lacks: ['', 'rule 1'].map((rule) => ({ rule, missing: '', lacking: 1, counted: [], excluded: [] })) },
  ],
])('says whether what is open to anyone asks somebody by name: %s', async (_who, asksOthers, facts) => {
  const w = await world();
  w.policies.policy = aPolicy([{ require: { from: ['octocat'] } }]);
  w.wait(aWaitingPull(facts));
  expect(await ask(w, { tab: 'auto' })).toMatchObject({ opens: 'may-approve', asksOthers });
});

it('says how many approvals each rule has and needs, and by whom as far as we know them', async () => {
  const w = await world();
  w.policies.policy = aPolicy([{ require: {} }]);
  const counted = [octocat.githubId, 404];
  w.wait(
    aWaitingPull({ lacks: [{ rule: 'rule 1', missing: 'One more.', lacking: 1, counted, excluded: [] }] }),
  );
  expect((await shown(w)).pulls[0]?.progress).toEqual([
    {
      ...{ rule: 'rule 1', missing: 'One more.', approved: 2, needed: 3 },
      by: [{ login: 'octocat', avatarUrl: 'https://faces.example/octocat' }],
    },
  ]);
});

it('no longer counts what the person has just approved, and has it again if it still waits a minute later', async () => {
  const w = await world();
  w.wait(aWaitingPull(REVIEW));
  const approval = { repoId: 42, pr: 7, head: HEAD, reported: null as Date | null };
  w.own.push(approval);
  expect(await ask(w, {})).toEqual(EMPTY);
  approval.reported = w.clock.now();
  w.clock.pass(59_000);
  expect(await ask(w, {})).toEqual(EMPTY);
  w.clock.pass(1_000);
  expect((await ask(w, {})).forYou).toBe(1);
});

it('shows 25 at a time in both orders, each once, though others come and go', async () => {
  const w = await world();
  const at = (pr: number) => aWaitingPull({ pr, since: new Date(1_700_000_000_000 + Math.floor(pr / 2)) });
  const upTo = (most: number, from = 1) =>
    Array.from({ length: most - from + 1 }, (_, index) => at(index + from));
  w.wait(...upTo(60));
  for (const order of ['waiting', 'newest'] as const) {
    const seen: number[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await ask(w, { order, after });
      seen.push(...page.pulls.map(({ pr }) => pr));
      expect([page.total, page.pulls.length <= 25]).toEqual([60, true]);
      after = page.next;
    }
    const all = upTo(60).map(({ pr }) => pr);
    expect(seen).toEqual(order === 'waiting' ? all : all.reverse());
  }
  const { next: after } = await ask(w, {});
  w.wait(...upTo(70, 26));
  expect((await numbers(w, { after: after ?? undefined }))[0]).toBe(26);
  expect(await numbers(w, { after: 'nonsense' })).toHaveLength(25);
});

it('finds pull requests by a text, a repository, a rule and what agents did, and says what there is to choose', async () => {
  const w = await world();
  w.policies.policy = aPolicy([{ require: {} }]);
  const lacks = ['', 'rule 1'].map((rule) => ({ rule, missing: '', lacking: 1, counted: [], excluded: [] }));
  w.tokens.shown.get('of mona')?.set(43, 'write');
  w.wait(
    aWaitingPull({ pr: 1, title: 'Größe', author: 'hubot', lacks: lacks.slice(0, 1) }),
    aWaitingPull({ pr: 2, title: 'Other', repoId: 43, repoName: 'World', lacks, agents: 'Claude opened it' }),
    SECRET,
  );
  const found = (question: InboxQuestion) => numbers(w, question);
  expect(
    await Promise.all(
      ['grÖSSE', 'GRÖßE', ' #2 ', 'octo-org/hello', 'HUBOT', 'fire'].map((search) => found({ search })),
    ),
  ).toEqual([[], [1], [2], [1], [1], []]);
  expect([
    await found({ repository: 'Octo-Org/world' }),
    await found({ repository: 'octo-org/secret' }),
  ]).toEqual([[2], []]);
  expect([await found({ rule: 'rule 1' }), await found({ rule: 'rule 2' })]).toEqual([[2], []]);
  expect([await found({ agents: true }), await found({ agents: false })]).toEqual([[2], [1, 2]]);
  expect((await ask(w, { agents: true })).pulls).toMatchObject([{ agents: 'Claude opened it' }]);
  expect(await ask(w, { search: 'nothing' })).toMatchObject({
    ...{ total: 0, mayApprove: 2, next: null, hasAgents: true },
    ...{ repositories: ['octo-org/hello', 'octo-org/World'], rules: ['rule 1'] },
  });
});

it('finds the few that wait for a person among the 10,000 that wait longest', async () => {
  const w = await world();
  const others = (count: number) => Array.from({ length: count }, () => SECRET);
  const later = aWaitingPull();
  w.wait(...others(2_000), later);
  expect(await ask(w, {})).toMatchObject({ isComplete: true, pulls: [{ pr: 7 }] });
  w.clock.pass(30_000);
  w.wait(...others(10_000), later);
  expect(await ask(w, {})).toEqual({ ...EMPTY, isComplete: false });
});

it('asks about a team once in five minutes for each person, and takes no answer for a no', async () => {
  const w = await world();
  w.wait(aWaitingPull({ reviewers: { people: [], teams: ['Security'] } }));
  w.teams.people.set('@octo-org/security', [mona.githubId]);
  w.stage.fail('teams.has', 'githubUnavailable');
  const asked = async () => (await ask(w, { tab: 'for-you' })).pulls.map((pull) => pull.asked);
  expect([await asked(), await asked(), await asked()]).toEqual([[], ['review'], ['review']]);
  expect(w.count('teams.has')).toBe(2);
});
