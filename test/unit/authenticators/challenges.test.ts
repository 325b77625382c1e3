import { describe, expect, it } from '@jest/globals';
import type { Challenge, Purpose } from '../../../src/authenticators/ports.ts';
import {
  CHALLENGE_LIFE_MS,
  consumeChallenge,
  findChallenge,
} from '../../../src/authenticators/step-up/challenges.ts';
import { codeOf } from '../../support/code-of.ts';
import { FakeChallenges, FakeClock, Stage } from '../../support/fakes.ts';

const clientData = (data: unknown) => Buffer.from(JSON.stringify(data)).toString('base64url');

function world(change: Partial<Challenge> = {}) {
  const challenges = new FakeChallenges(new Stage());
  const clock = new FakeClock();
  const challenge: Challenge = {
    challenge: 'the-challenge',
    purpose: 'approve',
    userId: 'mona',
    orgId: 9,
    subject: null,
    expires: new Date(clock.now().getTime() + CHALLENGE_LIFE_MS),
    ...change,
  };
  challenges.stored.push(challenge);
  const answer = (
    wanted: Partial<{ purpose: Purpose; userId: string; orgId: number; data: unknown }> = {},
  ) => {
    const { data = { challenge: 'the-challenge' }, ...rest } = wanted;
    const rightful = { purpose: 'approve' as Purpose, userId: 'mona', orgId: 9, ...rest };
    return findChallenge(challenges, { clientDataJSON: clientData(data), ...rightful });
  };
  return { challenges, clock, challenge, answer };
}

describe('an answer to a challenge', () => {
  it.each([
    ['another person', { userId: 'octocat' }],
    ['another organization', { orgId: 10 }],
    ['another challenge', { data: { challenge: 'another' } }],
    ['no challenge', { data: {} }],
    ['a challenge that is no text', { data: { challenge: 7 } }],
    ['no object', { data: 'text' }],
    ['nothing', { data: null }],
  ])('is refused for %s', async (_what, change) => {
    expect(await codeOf(world().answer(change))).toBe('challengeUnknown');
  });

  it('is refused without a lookup if it is not valid client data', async () => {
    const { challenges } = world();
    const wanted = { purpose: 'approve' as const, userId: 'mona', orgId: 9 };
    for (const clientDataJSON of ['', 'AAAA', 'e30', Buffer.from('{').toString('base64url')])
      expect(await codeOf(findChallenge(challenges, { clientDataJSON, ...wanted }))).toBe('challengeUnknown');
    expect(challenges.stage.calls).toEqual([]);
  });
});

describe('a challenge', () => {
  it.each(Object.entries({ 0: 'passes', 65000: 'passes', 65001: 'challengeExpired' }))(
    'is answered after %d ms: %s',
    async (ms, outcome) => {
      const { challenges, clock, challenge } = world();
      clock.pass(Number(ms));
      expect(await codeOf(consumeChallenge({ challenges, clock }, challenge))).toBe(outcome);
    },
  );

  it('is used up even if it is answered too late', async () => {
    const { challenges, clock, challenge } = world();
    clock.pass(66_000);
    await codeOf(consumeChallenge({ challenges, clock }, challenge));
    expect(challenges.consumed.has('the-challenge')).toBe(true);
  });

  it('is refused if the record store does not say whether it was used', async () => {
    const { challenges, clock, challenge } = world();
    challenges.stage.fail('challenges.consume', 'storeUnavailable', { when: 'after' });
    expect(await codeOf(consumeChallenge({ challenges, clock }, challenge))).toBe('storeUnavailable');
    expect(await codeOf(consumeChallenge({ challenges, clock }, challenge))).toBe('challengeUsed');
  });
});
