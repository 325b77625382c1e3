import { describe, expect, it } from '@jest/globals';
import type { Statement } from '../../src/contract/statement.ts';
import { AppError } from '../../src/shared/app-error.ts';
import { call, createWorld, HEADS, PEOPLE, pullAt, REPOS, syncHead, tokenOf, type World } from './world.ts';

type Options = { options: { challenge: string }; statement: Statement };

const [mona, octocat, hubot] = PEOPLE as [Person, Person, Person];
type Person = (typeof PEOPLE)[number];
const [first = '', second = ''] = HEADS;

/** The parameters that Mona signs for, and another value of each that is right elsewhere. */
const RIGHT = { installation: 5, owner: 'octo-org', ownerID: 9, repo: 'hello', pr: 1, head: first };
const WRONG = { installation: 6, owner: 'other-org', ownerID: 10, repo: 'tools', pr: 3, head: second };
const NAMES = Object.keys(RIGHT) as (keyof typeof RIGHT)[];

/** All combinations of right and wrong values: the names of the wrong ones. */
const combinations = NAMES.reduce<(keyof typeof RIGHT)[][]>(
  (all, name) => all.flatMap((wrong) => [wrong, [...wrong, name]]),
  [[]],
);

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
