import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { notePush } from '../../../src/approvals/judge/note-push.ts';
import { knownPushers } from '../../../src/policies/details.ts';
import { contributor } from '../../support/policies.ts';
import { world } from './world.ts';

const PULL = { repoId: 42, pr: 7 };
const ACCOUNTS = ['mona', 'dana', 'agent'].map((login, at) => contributor(login, at + 2));

/** A push of one of four heads by an account. GitHub's webhook names it, or nobody, or it's lost: then the head is a new one. */
const push = fc.record({
  head: fc.constantFrom('a', 'b', 'c', 'd'),
  by: fc.constantFrom(...ACCOUNTS),
  webhook: fc.constantFrom('named', 'named', 'named', 'nobody', 'lost', 'reopened'),
});
type Push = typeof push extends fc.Arbitrary<infer One> ? One : never;

/** Everybody who pushed the pull request's last head, and what OTP Guard knows of them. */
async function pushAll(opened: Push, pushes: Push[]) {
  const { pushers } = world();
  let head = opened.webhook === 'lost' ? 'new' : opened.head;
  const really = [{ head, by: opened.by }];
  if (opened.webhook !== 'lost') await pushers.add({ ...PULL, head, by: null });
  for (const [at, { webhook, by, ...to }] of pushes.entries()) {
    const after = webhook === 'lost' ? `new ${at}` : to.head;
    if (after === head) continue;
    if (webhook === 'reopened') await pushers.add({ ...PULL, head: after, by: null });
    else if (webhook !== 'lost')
      await notePush({ pushers }, { ...PULL, before: head, after, by: webhook === 'named' ? by : null });
    head = after;
    really.push({ head, by });
  }
  const known = knownPushers({ pushers: await pushers.of(PULL.repoId, PULL.pr, head) });
  return { known, really: new Set(really.filter((one) => one.head === head).map(({ by }) => by)) };
}

it('of all pushes of a head, an unknown push leaves its pushers unknown, in any sequence', async () => {
  await fc.assert(
    fc.asyncProperty(push, fc.array(push, { maxLength: 8 }), async (opened, pushes) => {
      const { known, really } = await pushAll(opened, pushes);
      fc.pre(known.areAllKnown);
      expect(new Set(known.people)).toEqual(really);
    }),
    { numRuns: process.env.SOAK ? 20_000 : 500 },
  );
});

const named = (head: string, at = 0) => ({ head, by: ACCOUNTS[at] ?? contributor('x', 9), webhook: 'named' });

it.each<[string, object[], boolean]>([
  ['is known after a push', [named('b')], true],
  ['is known after two people pushed it', [named('b'), named('a'), named('b', 1)], true],
  ['is unknown if it was opened with this head, also if it comes back', [named('b'), named('a')], false],
  [
    'is unknown if one push of it had no sender',
    [named('b'), named('a'), { ...named('b'), webhook: 'nobody' }],
    false,
  ],
  ['is unknown after a push that no webhook told', [{ ...named(''), webhook: 'lost' }, named('b')], false],
  ['is known again after the next push', [{ ...named(''), webhook: 'lost' }, named('b'), named('c')], true],
])('a head %s', async (_what, pushes, areAllKnown) => {
  const { known } = await pushAll(named('a') as Push, pushes as Push[]);
  expect(known.areAllKnown).toBe(areAllKnown);
});
