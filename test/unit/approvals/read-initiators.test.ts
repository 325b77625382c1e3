import { beforeEach, describe, expect, it } from '@jest/globals';
import { readGrounds } from '../../../src/approvals/judge/read-grounds.ts';
import { noteAssignees } from '../../../src/approvals/judge/read-initiators.ts';
import type { PullRequest } from '../../../src/approvals/ports.ts';
import { anInstallation, aPull, REPO } from '../../support/fakes.ts';
import { aPolicy, BOT, botPull, contributor, MONA } from '../../support/policies.ts';
import { type World, world } from './world.ts';

const [DANA, ERIN] = [contributor('dana', 4), contributor('erin', 5)];
const RULE = { require: { notBy: ['initiator'] } };
const known = (...people: (typeof MONA)[]) => ({ people, areAllKnown: true });

let w: World;
beforeEach(async () => {
  w = world();
  await w.organizations.save(anInstallation());
  w.policies.policy = aPolicy([RULE]);
  w.stage.calls.splice(0);
});

async function read(pull: PullRequest = botPull()) {
  const { details } = await readGrounds(w, { repo: REPO, pulls: [pull], approvals: [] });
  return details.get(pull.number)?.initiators;
}
const asked = () => w.stage.calls.filter((call) => /^(pullChanges|initiators)/.test(call));

describe('the people who asked for a pull request', () => {
  it('are its author, if a person opened it, and GitHub isn’t asked', async () => {
    w.pullChanges.requested = known(DANA);
    expect(await read(aPull())).toMatchObject(known(MONA));
    expect(asked()).toEqual([]);
  });

  it('are those who asked an agent of the organization, if that opened it', async () => {
    w.policies.policy = aPolicy([RULE], { agents: { logins: ['octo-ai'] } });
    w.pullChanges.requested = known(DANA);
    const author = { ...contributor('Octo-AI', 70), avatarUrl: '' };
    expect(await read(aPull({ author }))).toEqual(known(DANA));
  });

  it('are read for no rule that doesn’t ask', async () => {
    w.policies.policy = aPolicy([
      { require: { notBy: ['author'] } },
      { ...RULE, when: { branches: ['next'] } },
    ]);
    await read();
    expect(asked()).toEqual([]);
  });

  it('are those whom GitHub shows now, without machines, and those who were ever seen before', async () => {
    w.pullChanges.requested = known(MONA, BOT);
    expect(await read()).toEqual(known(MONA));
    w.pullChanges.requested = known(DANA);
    expect(await read()).toEqual(known(MONA, DANA));
    w.pullChanges.requested = known();
    expect(await read()).toEqual(known(MONA, DANA));
    expect(w.stage.calls.filter((call) => call === 'initiators.add')).toHaveLength(2);
    expect(await read(botPull({ number: 8 }))).toEqual(known());
  });

  it('are the people in the trailers of its commits too, even once they are pushed without', async () => {
    const named = (email: string) => {
      const trailers = [{ token: 'co-authored-by', name: 'Mona', email }];
      w.pullChanges.committed.commits = [{ by: [], trailers, isComplete: true }];
    };
    named('2+mona@users.noreply.github.com');
    expect(await read()).toEqual(known(MONA));
    named('mona@example.org');
    expect(await read()).toEqual({ people: [MONA], areAllKnown: false });
    w.pullChanges.committed.commits = [];
    expect(await read()).toEqual(known(MONA));
  });

  it('aren’t all known once there are more than are stored', async () => {
    for (let id = 100; id < 200; id += 1)
      await w.initiators.add({ repoId: 42, pr: 7, person: contributor(`u${id}`, id) });
    expect((await read())?.areAllKnown).toBe(true);
    w.pullChanges.requested = known(MONA);
    const found = await read();
    expect([found?.people.length, found?.areAllKnown, w.initiators.stored.length]).toEqual([101, false, 100]);
  });

  it('aren’t all known if GitHub doesn’t show them, or names nobody we know', async () => {
    w.pullChanges.requested = { people: [MONA], areAllKnown: false };
    expect(await read()).toEqual({ people: [MONA], areAllKnown: false });
  });

  it('aren’t all known if the author no longer exists', async () => {
    w.pullChanges.requested = known(DANA);
    expect(await read(aPull({ author: null }))).toEqual({ people: [DANA], areAllKnown: false });
  });

  it('aren’t all known if OTP Guard didn’t write a record', async () => {
    w.initiators.of = async () => [null, MONA];
    expect(await read()).toEqual({ people: [MONA], areAllKnown: false });
  });

  it.each(['pullChanges.requesters', 'pullChanges.commits', 'initiators.of', 'initiators.add'])(
    'fail the judgement if there is no answer to %s',
    async (call) => {
      w.pullChanges.requested = known(MONA);
      w.stage.fail(call, 'githubUnavailable');
      await expect(read()).rejects.toMatchObject({ code: 'githubUnavailable' });
    },
  );
});

describe('the assignees that a webhook shows', () => {
  const note = (pull = botPull(), assignees = [MONA, BOT]) => noteAssignees(w, { pull, assignees });

  it('are stored if a machine opened the pull request, even if no rule asks for them', async () => {
    expect(await note()).toBe(true);
    w.policies.policy = aPolicy([]);
    expect(await note(botPull(), [ERIN])).toBe(false);
    expect(w.initiators.stored.map(({ person }) => person)).toEqual([MONA, ERIN]);
    expect(w.stage.calls.filter((call) => call.startsWith('pull'))).toEqual([]);
  });

  it.each([
    ['a person opened it', aPull(), [DANA]],
    ['they are machines', botPull(), [BOT]],
    ['they are the organization’s agents', botPull(), [contributor('Octo-AI', 70)]],
  ])('aren’t if %s', async (_why, pull, assignees) => {
    w.policies.policy = aPolicy([RULE], { agents: { logins: ['octo-ai'] } });
    expect(await note(pull, assignees)).toBe(false);
    expect(w.initiators.stored).toEqual([]);
  });

  it('ask for no judgement of a closed pull request, or of a branch that no such rule is about', async () => {
    expect(await note(botPull({ open: false }))).toBe(false);
    w.policies.policy = aPolicy([{ ...RULE, when: { branches: ['next'] } }]);
    expect(await note()).toBe(false);
    expect(w.initiators.stored).toHaveLength(1);
  });
});
