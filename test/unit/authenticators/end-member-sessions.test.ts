import { describe, expect, it } from '@jest/globals';
import { endMemberSessions } from '../../../src/authenticators/end-member-sessions.ts';
import { challengePurposes } from '../../../src/authenticators/ports.ts';
import { type Action, requireStepUp } from '../../../src/authenticators/step-up/step-up.ts';
import { type StepUp, stepUpAction } from '../../../src/contract/step-up.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation } from '../../support/fakes.ts';
import { mona, octocat, type Person, worldWithKeys } from './world.ts';

/** Octocat owns `octo-org`, and mona is a member with a session. Each has a key there. */
async function world() {
  const deps = await worldWithKeys();
  const { org } = deps;
  for (const { userId, ...person } of [mona, octocat])
    deps.memberships.put(org, { ...person, role: userId === 'mona' ? 'member' : 'admin' }, { userId });
  deps.memberships.notified = ['octocat', 'hubot'];
  await deps.sessions.begin('mona');
  const end = (person: Person, stepUp: StepUp | undefined, memberID = mona.githubId) =>
    endMemberSessions(deps, { person, orgID: 9, memberID, stepUp });
  return { ...deps, end };
}

const HOUR = { most: 10, ms: 60 * 60_000 };
const END: Action = { type: 'end-sessions', memberID: mona.githubId };

describe('the end of a member’s sessions by an owner', () => {
  it('ends all of them, is logged, and notifies the member and the owners', async () => {
    const w = await world();
    await w.end(octocat, await w.proof(octocat, END));
    expect(w.sessions.open.size).toBe(0);
    const { activity, notices } = w.sessions.effects[0] ?? {};
    expect(activity).toMatchObject({
      activity: 'memberSessionsEnd',
      userId: 'octocat',
      data: { login: 'octocat', user: 'mona' },
    });
    expect(notices?.map(({ kind, userId }) => [kind, userId])).toEqual([
      ['sessionsEnded', 'mona'],
      ['memberSessionsEnded', 'octocat'],
      ['memberSessionsEnded', 'hubot'],
    ]);
  });

  it.each<[string, (w: Awaited<ReturnType<typeof world>>) => Promise<unknown>, string]>([
    ['to a member', async (w) => w.end(mona, await w.proof(mona, END)), 'notOwner'],
    ['without a proof', (w) => w.end(octocat, undefined), 'stepUpRequired'],
    [
      'with a proof for another member',
      async (w) => w.end(octocat, await w.proof(octocat, { ...END, memberID: 12 }, { shown: END })),
      'otherStepUp',
    ],
    ['for a stranger', async (w) => w.end(octocat, await w.proof(octocat, END), 99), 'memberNotFound'],
    [
      'for somebody who just left the organization',
      async (w) => {
        w.installations.all.push({ ...anInstallation(), repositories: [] });
        w.members.roles.delete('9:11');
        await w.end(octocat, await w.proof(octocat, END));
      },
      'memberNotFound',
    ],
    [
      'after ten in an hour, not counting those without a proof',
      async (w) => {
        await codeOf(w.end(octocat, await w.proof(octocat, { ...END, memberID: 99 })));
        for (let time = 0; time < 10; time += 1)
          expect(await w.quota.take('end-sessions:octocat', HOUR, w.clock.now())).not.toBeInstanceOf(Date);
        await w.end(octocat, await w.proof(octocat, END));
      },
      'tooManyRequests',
    ],
    [
      'while GitHub does not say who is an owner',
      async (w) => {
        w.stage.fail('members.role', 'githubUnavailable');
        await w.end(octocat, await w.proof(octocat, END));
      },
      'githubUnavailable',
    ],
  ])('is refused %s', async (_when, act, code) => {
    const w = await world();
    expect([await codeOf(act(w)), w.sessions.open.size]).toEqual([code, 1]);
  });
});

describe('a step-up', () => {
  const matrix = challengePurposes.flatMap((purpose) =>
    stepUpAction.options.map((type) => [purpose, type] as const),
  );

  it.each(matrix)('made for %s confirms %s only if both are the same', async (purpose, type) => {
    const w = await world();
    const made = { ...END, type } as Action;
    const proof = await w.proof(octocat, made);
    for (const challenge of w.challenges.stored) challenge.purpose = purpose;
    const outcome = requireStepUp(w, { session: octocat, org: w.org, action: made, proof });
    expect(await codeOf(outcome)).toBe(purpose === type ? 'passes' : 'challengeUnknown');
  });

  it.each<Partial<Action>>([
    { memberID: 13 },
    { memberID: undefined },
    { authenticatorID: 'abc' },
    { policySha256: 'A'.repeat(43) },
  ])('confirms no other target than the one it was made for: %j', async (change) => {
    const w = await world();
    const action = { ...END, ...change };
    for (const proof of [await w.proof(octocat, END), await w.proof(octocat, END, { shown: action })])
      expect(await codeOf(requireStepUp(w, { session: octocat, org: w.org, action, proof }))).toBe(
        'otherStepUp',
      );
  });

  it('is refused if the stored statement isn’t what its challenge is made from', async () => {
    const w = await world();
    const action: Action = { type: 'change-policy', policySha256: 'A'.repeat(43) };
    const proof = await w.proof(octocat, action);
    const subject = w.challenges.stored[0]?.subject as { statement: { policySha256: string } };
    subject.statement.policySha256 = 'B'.repeat(43);
    const outcome = requireStepUp(w, { session: octocat, org: w.org, action, proof });
    expect([await codeOf(outcome), w.challenges.consumed.size]).toEqual(['challengeUnknown', 0]);
  });
});
