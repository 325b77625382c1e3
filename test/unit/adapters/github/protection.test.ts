import { expect, it } from '@jest/globals';
import { createProtections } from '../../../../src/adapters/github/protection.ts';
import { bypassOf, requirementOf } from '../../../../src/protection/bypass.ts';
import { compareRepository } from '../../../../src/protection/compare.ts';
import { AppError } from '../../../../src/shared/app-error.ts';
import { githubFixture, type Json } from '../../../support/fixtures.ts';
import { appAt } from './app-at.ts';

const APP_ID = 29310;
const REPO = { installation: 5, owner: 'o', name: 'hello' };

const READS = ['rules', 'ruleset', 'protection', 'keys'] as const;
type Part = (typeof READS)[number];
const ANSWERS = ['shown', 'forbidden', 'not found', 'failed', 'cut short'] as const;
type Answer = (typeof ANSWERS)[number];

/** GitHub's answers: people may go around both rules, or nobody may. */
const bodiesOf = (isOpen: boolean): Record<Part, unknown> => ({
  rules: githubFixture('branch-rules'),
  ruleset: githubFixture('ruleset', (one: Json) => {
    if (!isOpen) one.bypass_actors = [];
  }),
  protection: githubFixture('branch-protection', (one: Json) => {
    one.enforce_admins.enabled = !isOpen;
  }),
  keys: githubFixture('deploy-keys'),
});

const partOf = (url: string): Part | undefined =>
  READS.find((part) =>
    ({
      rules: /\/rules\/branches\//,
      ruleset: /\/rulesets\//,
      protection: /\/protection$/,
      keys: /\/keys\?/,
    })[part].test(url),
  );

function answerTo(url: string, answer: Answer, body: unknown): Response {
  if (answer === 'forbidden')
    return Response.json({ message: 'Resource not accessible by integration' }, { status: 403 });
  if (answer === 'not found') return Response.json({ message: 'Not Found' }, { status: 404 });
  if (answer === 'failed') return new Response('', { status: 500 });
  if (answer === 'shown') return Response.json(body);
  // A list loses its second page, and anything else its second half.
  if (!Array.isArray(body))
    return new Response(JSON.stringify(body).slice(0, 50), {
      headers: { 'content-type': 'application/json' },
    });
  const { searchParams } = new URL(url);
  if (searchParams.get('page') !== '1') return Response.json({ message: 'Not Found' }, { status: 404 });
  return Response.json([], { headers: { link: `<${url}&next>; rel="next"` } });
}

function githubWith(isOpen: boolean) {
  const bodies = bodiesOf(isOpen);
  const answers: Record<Part, Answer> = {
    rules: 'shown',
    ruleset: 'shown',
    protection: 'shown',
    keys: 'shown',
  };
  const app = appAt(async (url) => {
    const part = partOf(url);
    return part ? answerTo(url, answers[part], bodies[part]) : Response.json([]);
  });
  const installations = { get: async () => null, list: async () => [] };
  const config = { appId: APP_ID, serverUrl: 'https://github.com' };
  return { answers, protections: createProtections(app, installations, config) };
}

const pairs = ANSWERS.flatMap((rules) => ANSWERS.map((ruleset) => [rules, ruleset] as const));

it.each(pairs)(
  'no verdict gets better, and nothing is an alarm: rules %s, ruleset %s, and each answer to the others',
  async (rules, ruleset) => {
    for (const isOpen of [true, false]) {
      const { answers, protections } = githubWith(isOpen);
      const known = await protections.repository(REPO, 'master');
      expect(bypassOf(known)?.state).toBe(isOpen ? 'some' : 'nobody');
      // Keys are in no verdict, so the other half of the table is enough.
      for (const protection of ANSWERS)
        for (const keys of isOpen ? ANSWERS : ANSWERS.slice(0, 1)) {
          Object.assign(answers, { rules, ruleset, protection, keys });
          const at = JSON.stringify({ isOpen, ...answers });
          const reading = await protections
            .repository(REPO, 'master', known)
            .catch((error: unknown) => error);
          if (reading instanceof Error) {
            expect([at, reading]).toEqual([at, expect.any(AppError)]);
            expect([
              at,
              Object.values(answers).some((answer) => ['failed', 'cut short'].includes(answer)),
            ]).toEqual([at, true]);
            continue;
          }
          const found = reading as typeof known;
          const isShown = (part: Part) => answers[part] === 'shown';
          const hasRule = isShown('rules') || isShown('protection');
          expect([at, requirementOf(found)]).toEqual([at, hasRule ? 'thisApp' : 'unknown']);
          const isKnown = (isShown('rules') && isShown('ruleset')) || isShown('protection');
          const state = bypassOf(found)?.state;
          if (isOpen) expect([at, state]).not.toEqual([at, 'nobody']);
          if (!isKnown) expect([at, state]).toEqual([at, hasRule ? 'unknown' : undefined]);
          expect([at, found.deployKeys]).toEqual([at, isShown('keys') ? [] : null]);
          expect([at, compareRepository('hello', known, found).changes]).toEqual([at, []]);
        }
    }
  },
);

it('leaves out a ruleset that requires neither the check nor a pull request, and doesn’t read it', async () => {
  const asked: string[] = [];
  const other = {
    type: 'deletion',
    ruleset_source_type: 'Repository',
    ruleset_source: 'o/hello',
    ruleset_id: 77,
  };
  const rules = [...(githubFixture('branch-rules') as unknown as object[]), other];
  const bodies: Record<Part, unknown> = { ...bodiesOf(false), rules };
  const app = appAt(async (url) => {
    asked.push(url);
    const part = partOf(url);
    return Response.json(part ? bodies[part] : []);
  });
  const installations = { get: async () => null, list: async () => [] };
  const config = { appId: APP_ID, serverUrl: 'https://github.com' };
  const found = await createProtections(app, installations, config).repository(REPO, 'master');
  expect(found.rulesets?.map(({ id }) => id)).toEqual([42]);
  expect(asked.filter((url) => url.includes('/rulesets/77'))).toEqual([]);
});
