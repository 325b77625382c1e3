import { expect, it } from '@jest/globals';
import { inbox } from '../../../src/inbox/inbox.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, aWaitingPull } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';
import { mona, octocat, world } from './world.ts';

type World = Awaited<ReturnType<typeof world>>;

const OLDER = aWaitingPull({ pr: 8, since: new Date('2026-05-03T09:00:00Z') });
const SECRET = aWaitingPull({ repoId: 666, repoName: 'secret', title: 'Fire everybody' });

const shown = (w: World, session = mona, accessToken: string | undefined = `of ${session.login}`) =>
  inbox(w, { session, accessToken });
const numbers = async (w: World) => (await shown(w)).pulls.map(({ pr }) => pr);

it('shows the longest waiting first, and nothing of repositories that GitHub doesn’t show to the person', async () => {
  const w = await world();
  w.wait(aWaitingPull(), SECRET, OLDER);
  const answer = await shown(w);
  expect([answer.total, answer.pulls.map(({ pr }) => pr)]).toEqual([2, [8, 7]]);
  expect(JSON.stringify(answer)).not.toContain('secret');
  w.tokens.shown.clear();
  w.visible.forget(mona.githubId);
  expect(await shown(w)).toEqual({ total: 0, pulls: [] });
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

it('counts 1,000 pull requests, shows 100, and reads them again only after a change', async () => {
  const w = await world();
  w.wait(...Array.from({ length: 10_001 }, (_, at) => aWaitingPull({ pr: at + 1 })));
  const answers = await Promise.all([shown(w), shown(w, octocat), shown(w)]);
  expect(answers.map(({ total, pulls }) => [total, pulls.length])).toEqual(Array(3).fill([1_000, 100]));
  w.clock.pass(30_000);
  await shown(w);
  expect([w.count('waitingPulls.list'), w.count('waitingPulls.newestChange')]).toEqual([1, 2]);
  w.wait(OLDER);
  expect(await numbers(w)).toEqual([8]);
});

it('finds the few that wait for a person among the 10,000 that wait longest', async () => {
  const w = await world();
  const others = (count: number) => Array.from({ length: count }, () => SECRET);
  const later = aWaitingPull();
  w.wait(...others(2_000), later);
  expect(await numbers(w)).toEqual([7]);
  w.clock.pass(30_000);
  w.wait(...others(10_000), later);
  expect(await numbers(w)).toEqual([]);
});

it('asks about a team once in five minutes for each person, and takes no answer for a no', async () => {
  const w = await world();
  w.wait(aWaitingPull({ reviewers: { people: [], teams: ['Security'] } }));
  w.teams.people.set('@octo-org/security', [mona.githubId]);
  w.stage.fail('teams.has', 'githubUnavailable');
  const asked = async () => (await shown(w)).pulls.map((pull) => pull.asked);
  expect([await asked(), await asked(), await asked()]).toEqual([[null], ['review'], ['review']]);
  expect(w.count('teams.has')).toBe(2);
});
