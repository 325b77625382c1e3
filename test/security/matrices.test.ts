import { describe, expect, it } from '@jest/globals';
import type { DeployParamsAnswer } from '../../src/contract/deployments.ts';
import type { Statement } from '../../src/contract/statement.ts';
import { AppError } from '../../src/shared/app-error.ts';
import {
  askAbout,
  call,
  createWorld,
  HEADS,
  PEOPLE,
  pullAt,
  REPOS,
  syncHead,
  tokenOf,
  type World,
} from './world.ts';

type Options = { options: { challenge: string }; statement: Statement };

const [mona, octocat, hubot] = PEOPLE as [Person, Person, Person];
type Person = (typeof PEOPLE)[number];
const [first = '', second = ''] = HEADS;

/** The parameters that Mona signs for, and another value of each that is right elsewhere. */
const RIGHT = { installation: 5, owner: 'octo-org', ownerID: 9, repo: 'hello', pr: 1, head: first };
const WRONG = { installation: 6, owner: 'other-org', ownerID: 10, repo: 'tools', pr: 3, head: second };
const NAMES = Object.keys(RIGHT) as (keyof typeof RIGHT)[];

/** All combinations of right and wrong values: the names of the wrong ones. */
const combine = <Name>(names: Name[]) =>
  names.reduce<Name[][]>((all, name) => all.flatMap((wrong) => [wrong, [...wrong, name]]), [[]]);
const combinations = combine(NAMES);

const mixed = (wrong: (keyof typeof RIGHT)[]) =>
  ({ ...RIGHT, ...Object.fromEntries(wrong.map((name) => [name, WRONG[name]])) }) as typeof RIGHT;

async function worldWithAll(): Promise<World> {
  const world = await createWorld();
  // Every wrong value exists: a third pull request, and one at the second head in each repository.
  const more = [pullAt(3, 0, { head: first, base: 'release' }), pullAt(3, 1, { head: second }), pullAt(3, 2)];
  for (const pull of more) {
    world.pulls.all?.push(pull);
    await syncHead(world, pull);
  }
  return world;
}

const holding = (world: World, person: Person, org: number) => {
  const found = world.holdings.find((one) => one.person === person && one.org === org);
  if (!found) throw new Error(`${person.login} holds nothing there`);
  return found;
};

const optionsFor = async (world: World, person: Person, params: object) =>
  (await call(world, '/github-check-webauthn-params', person, {
    ...params,
    accessToken: tokenOf(person),
  })) as Options;

describe('an assertion for one approval', () => {
  it('approves nothing else: all combinations of six parameters, by its person and by another', async () => {
    const passed: string[] = [];
    for (const wrong of combinations) {
      for (const sender of [mona, octocat]) {
        const world = await worldWithAll();
        const { options } = await optionsFor(world, mona, RIGHT);
        const authResponse = holding(world, mona, 9).key.get(options);
        const body = { params: mixed(wrong), authResponse, accessToken: tokenOf(sender) };
        const answer = await call(world, '/github-check-webauthn', sender, body);
        if (!(answer instanceof Error)) passed.push(`${sender.login}: ${wrong.join(', ')}`);
        else expect(answer).toBeInstanceOf(AppError);
        const heads = world.approvals.stored.map((one) => [one.repoId, one.pr, one.head, one.githubId]);
        expect(heads).toEqual(answer instanceof Error ? [] : [[42, 1, first, mona.githubId]]);
      }
    }
    expect(passed).toEqual(['mona: ']);
  });
});

describe('the parameters of an approval', () => {
  it('name only what belongs together, for every person who sends them', async () => {
    const given: string[] = [];
    for (const wrong of combinations) {
      for (const person of [mona, octocat, hubot]) {
        const world = await worldWithAll();
        const params = mixed(wrong);
        const answer = await optionsFor(world, person, params);
        if (answer instanceof Error) continue;
        given.push(`${person.login}: ${wrong.join(', ')}`);
        const { org, repo, pr, head } = answer.statement;
        expect(person.orgs).toContain(org.id);
        expect(REPOS.find(({ id }) => id === repo.id)?.ownerId).toBe(org.id);
        expect([pr, head]).toEqual([params.pr, params.head]);
      }
    }
    expect(given).toContain('mona: ');
    expect(given.length).toBeLessThan(combinations.length);
  });
});

/** The parameters that Mona signs for of a run in `hello`, and another value of each that is right for one in `tools`. */
const OF_RUN = { ...of(RIGHT), run: 101, environment: 'release', attempt: 1 };
const OF_OTHER_RUN = { ...of(WRONG), run: 102, environment: 'staging', attempt: 2 };

function of({ installation, owner, ownerID, repo }: typeof RIGHT) {
  return { installation, owner, ownerID, repo };
}

describe('an assertion for one deployment', () => {
  it('approves no other: all combinations of seven parameters, and by another person', async () => {
    const passed: string[] = [];
    for (const wrong of combine(Object.keys(OF_RUN) as (keyof typeof OF_RUN)[])) {
      for (const sender of wrong.length === 0 ? [mona, octocat] : [mona]) {
        const world = await createWorld();
        const [, other] = world.workflowRuns.runs;
        if (other) await askAbout(world, Object.assign(other, { attempt: 2 }), { environment: 'staging' });
        const asked = { ...OF_RUN, accessToken: tokenOf(mona) };
        const { options } = (await call(world, '/deploy-params', mona, asked)) as DeployParamsAnswer;
        const authResponse = holding(world, mona, 9).key.get(options);
        const params = { ...OF_RUN, ...Object.fromEntries(wrong.map((name) => [name, OF_OTHER_RUN[name]])) };
        const body = { params, authResponse, accessToken: tokenOf(sender) };
        const answer = await call(world, '/deploy-check', sender, body);
        if (!(answer instanceof Error)) passed.push(`${sender.login}: ${wrong.join(', ')}`);
        else expect(answer).toBeInstanceOf(AppError);
        const started = world.workflowRuns.starts.map(({ run, environment }) => [run, environment]);
        expect(started).toEqual(answer instanceof Error ? [] : [[101, 'release']]);
        expect(world.decisions.stored).toHaveLength(started.length);
      }
    }
    expect(passed).toEqual(['mona: ']);
  });
});
