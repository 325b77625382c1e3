import { beforeEach, describe, expect, it } from '@jest/globals';
import { readGrounds } from '../../../src/approvals/judge/read-grounds.ts';
import type { PullRequest } from '../../../src/approvals/ports.ts';
import type { Rule } from '../../../src/contract/policy.ts';
import { applies } from '../../../src/policies/applying-rules.ts';
import type { PullDetails } from '../../../src/policies/details.ts';
import { anApproval, anInstallation, aPull, REPO } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';
import { type World, world } from './world.ts';

const TEAM = '@octo-org/security';
const OTHER = '@octo-org/secret';

let w: World;
beforeEach(async () => {
  w = world();
  await w.organizations.save(anInstallation());
  w.stage.calls.splice(0);
});

/** Reads what `aPull()` is judged by, with Mona's approval. */
async function read(rules: object[], { pull = aPull(), approvals = [anApproval()] } = {}) {
  w.policies.policy = aPolicy(rules);
  const { details } = await readGrounds(w, { repo: REPO, pulls: [pull], approvals });
  return details.get(pull.number);
}
const asked = (...prefixes: string[]) =>
  w.stage.calls.filter((call) => prefixes.some((prefix) => call.startsWith(prefix)));
const github = () => asked('pullChanges', 'teams', 'members', 'access');

describe('what a verdict follows from', () => {
  it('asks GitHub nothing for the default policy', async () => {
    expect(await read([])).toBeUndefined();
    expect(w.stage.calls).toEqual(['policies.inForce']);
  });

  it('asks nothing for rules about other repositories and branches', async () => {
    const require = { approvals: 2, from: [TEAM], permission: 'admin', notBy: ['committers', 'pusher'] };
    const rules = [
      { when: { repositories: ['web'], paths: ['**'] }, require },
      { when: { branches: ['next'], authors: 'machines' }, require },
    ];
    expect(await read(rules)).toBeUndefined();
    expect([...github(), ...asked('pushers')]).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['roles', { require: { approvals: 2 } }, ['members.role']],
    ['files', { when: { paths: ['x'] } }, ['pullChanges.files', 'members.role']],
    ['commits of machines', { when: { authors: 'machines' } }, ['pullChanges.commits', 'members.role']],
    ['committers', { require: { notBy: ['committers'] } }, ['pullChanges.commits', 'members.role']],
    ['agents', { when: { agents: true } }, ['pullChanges.commits', 'pullChanges.approvers', 'members.role']],
    ['the author', { require: { notBy: ['author'] } }, ['members.role']],
    ['a permission', { require: { permission: 'read' } }, ['members.role', 'members.permission']],
    ['teams', { require: { from: [TEAM, OTHER] } }, ['members.role', 'teams.has', 'teams.has']],
    ['no approval', { require: { approvals: 0 } }, ['pullChanges.commits']],
    [
      'no approval for a team’s authors',
      { when: { authors: [TEAM] }, require: { approvals: 0 } },
      ['pullChanges.commits', 'teams.has'],
    ],
    ['a reported rule', { enforced: false, when: { paths: ['x'] } }, ['pullChanges.files', 'members.role']],
  ])('asks only what a rule about %s needs', async (_what, rule, calls) => {
    w.members.set(9, 2, 'member');
    await read([rule]);
    expect(github()).toEqual(calls);
  });

  it('asks about each person once, and about no team of a machine', async () => {
    w.members.set(9, 2, 'member');
    w.pullChanges.committed.people = [
      { id: 2, login: 'mona', isMachine: false },
      { id: 4, login: 'dana', isMachine: false },
      { id: 50, login: 'x[bot]', isMachine: true },
    ];
    w.teams.people.set(TEAM, [4]);
    const details = await read([{ when: { authors: [TEAM] } }], {
      approvals: [anApproval(), anApproval({ pr: 8 })],
    });
    expect(asked('members', 'teams')).toEqual(['members.role', 'teams.has', 'teams.has']);
    expect(details?.people.map(({ login, role, teams }) => [login, role, teams])).toEqual([
      ['mona', 'member', []],
      ['dana', null, [TEAM]],
    ]);
  });

  it('finds out what agents did only for a rule about that', async () => {
    w.members.set(9, 2, 'member');
    w.pullChanges.committed.commits = [{ by: [{ login: 'claude[bot]' }], trailers: [], isComplete: true }];
    const line = 'Claude wrote its only commit';
    expect((await read([{ when: { agents: true } }]))?.agents).toEqual({ hasHand: 'yes', line });
    expect((await read([{ when: { authors: 'machines' } }]))?.agents).toBeNull();
  });

  it('says which teams can’t be read', async () => {
    w.members.set(9, 2, 'member');
    w.teams.people.set(TEAM, [2]);
    const details = await read([{ require: { from: [TEAM, OTHER] } }]);
    expect([details?.people[0]?.teams, details?.unreadTeams]).toEqual([[TEAM], [OTHER]]);
  });

  it('looks up the present login of a person who isn’t a member under the old one', async () => {
    w.members.set(9, 2, 'admin');
    w.members.logins.set(2, 'mona-new');
    const details = await read([{ require: {} }]);
    expect(details?.people).toMatchObject([{ githubId: 2, login: 'mona-new', role: 'admin' }]);
  });

  it('asks whether a person is a collaborator only if they aren’t a member', async () => {
    const rules = [{ require: { from: ['collaborators'] } }];
    w.members.collaborators.add(2);
    w.members.writers.add(2);
    expect((await read(rules))?.people).toMatchObject([
      { role: null, permission: 'write', isCollaborator: true },
    ]);
    w.members.set(9, 2, 'member');
    expect((await read(rules))?.people).toMatchObject([{ role: 'member', isCollaborator: false }]);
  });

  it('reads the details of each pull request with the head', async () => {
    w.policies.policy = aPolicy([{ when: { branches: ['next'] }, require: { notBy: ['pusher'] } }]);
    const by = { id: 4, login: 'dana', isMachine: false };
    const next = aPull({ number: 8, base: 'next' });
    await w.pushers.add({ repoId: 42, pr: 8, head: next.head, by });
    const { details } = await readGrounds(w, { repo: REPO, pulls: [aPull(), next], approvals: [] });
    expect([...details].map(([pr, { pushers }]) => [pr, pushers])).toEqual([[8, [by]]]);
  });

  it('takes nobody for a member in an account that isn’t known', async () => {
    const pull = aPull({ repo: { ...aPull().repo, ownerId: 77 } }) satisfies PullRequest;
    expect((await read([{}], { pull }))?.people).toEqual([]);
  });

  it('takes an author that wasn’t asked about for one who may belong to the team', async () => {
    const hana = { id: 8, login: 'hana', isMachine: false };
    const fillers = Array.from({ length: 20 }, (_, at) => ({
      id: 100 + at,
      login: `u${at}`,
      isMachine: false,
    }));
    w.teams.people.set(TEAM, [hana.id]);
    w.members.set(9, 2, 'member');
    const rule = { name: 'team', when: { authors: [TEAM] }, require: { from: ['owners'] } };
    const judged = async (people: (typeof hana)[]) => {
      w.pullChanges.committed.people = people;
      w.policies.policy = aPolicy([rule]);
      const pull = aPull({ author: null });
      const grounds = await readGrounds(w, { repo: REPO, pulls: [pull], approvals: [anApproval()] });
      const details = grounds.details.get(pull.number) as PullDetails;
      return applies(grounds.policy.rules[0] as Rule, { ...pull, author: anAuthor }, details);
    };
    const anAuthor = { id: 2, login: 'mona', isMachine: false };
    expect(await judged([...fillers, hana])).toBe('maybe');
    expect(await judged([hana, ...fillers.slice(1)])).toBe('yes');
    expect(await judged(fillers)).toBe('no');
  });

  it('reads what a rule needs that may be about the pull request', async () => {
    const pull = aPull({ base: 'a'.repeat(20_000) });
    await read([{ when: { branches: [`*${'a'.repeat(98)}b*c`], paths: ['x'] } }], { pull, approvals: [] });
    expect(asked('pullChanges')).toEqual(['pullChanges.files']);
  });

  it('asks by the installation that shows the repository, which can be a newer one', async () => {
    const asking: number[] = [];
    const { role } = w.members;
    w.members.role = (org, person) => {
      asking.push(org.installationId);
      return role.call(w.members, org, person);
    };
    w.policies.policy = aPolicy([{}]);
    await readGrounds(w, { repo: { ...REPO, installation: 6 }, pulls: [aPull()], approvals: [anApproval()] });
    expect(asking).toEqual([6]);
  });

  it.each([
    'pullChanges.files',
    'pullChanges.commits',
    'pullChanges.approvers',
    'members.role',
    'members.permission',
    'teams.has',
  ])('fails if GitHub doesn’t answer %s: an outage isn’t an unknown detail', async (call) => {
    w.members.set(9, 2, 'member');
    w.stage.fail(call, 'githubUnavailable');
    const rule = {
      when: { paths: ['x'], agents: true },
      require: { from: [TEAM], permission: 'read', notBy: ['committers'] },
    };
    await expect(read([rule])).rejects.toMatchObject({ code: 'githubUnavailable' });
  });
});
