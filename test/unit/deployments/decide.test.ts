import { describe, expect, it } from '@jest/globals';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { decide } from '../../../src/deployments/decide/decide.ts';
import { deployOptions } from '../../../src/deployments/decide/deploy-options.ts';
import { keyOf } from '../../../src/deployments/judge/judge-deployment.ts';
import { codeOf } from '../../support/code-of.ts';
import { aRun, REPO } from '../../support/fakes.ts';
import { world as approvalWorld, mona, target as ofPull } from '../approvals/approval-world.ts';

const STARTER = { id: 3, login: 'octocat', avatarUrl: '', isMachine: false };
const { pr: _, head: __, ...repository } = ofPull;
const target = { ...repository, run: 77, environment: 'release', attempt: 1 };

/** Mona, who may reject the release that octocat started. Octocat has signed in here. */
async function world() {
  const w = await approvalWorld();
  const run = w.workflowRuns.put(aRun({ startedBy: STARTER }));
  const { head, ref, event, workflow } = run;
  const key = keyOf({ run, environment: 'release' });
  await w.deployments.request({ ...key, orgId: 9, repo: REPO, head, ref, event, workflow });
  w.users.profiles.set('octocat', STARTER as never);
  const signed = async (reason: string | undefined) => {
    const { options } = await deployOptions(w, { person: mona, target, reason, method: undefined });
    return w.key.get(options) as AuthenticationResponseJSON;
  };
  return {
    ...w,
    deps: w,
    signed,
    decide: async (reason: string | undefined) =>
      decide(w, { person: mona, target, reason, proof: { response: await signed(reason) } }),
    notices: () => w.decisions.effects.map(({ notices }) => notices),
  };
}

describe('the e-mail about a rejection', () => {
  it('goes to the person who started the run', async () => {
    const w = await world();
    w.members.readers.add(STARTER.id);
    await w.decide('Not on a Friday');
    const about = { label: 'hello', run: 77, environment: 'release', reason: 'Not on a Friday' };
    const data = { org: 'octo-org', by: 'mona', ...about };
    expect(w.notices()).toEqual([[{ kind: 'deployRejected', userId: 'octocat', data }]]);
  });

  it('goes to nobody who can no longer read the repository, and none is about an approval', async () => {
    const w = await world();
    await w.decide('Not on a Friday');
    const approved = await world();
    approved.members.readers.add(STARTER.id);
    await approved.decide(undefined);
    expect([w.notices(), approved.notices()]).toEqual([[[]], [[]]]);
  });

  it('uses nothing up if GitHub doesn’t say whether they can', async () => {
    const w = await world();
    w.stage.gate = async (call) => {
      if (call === 'users.userIdOf') w.stage.fail('members.permission', 'githubUnavailable');
    };
    expect(await codeOf(w.decide('Not on a Friday'))).toBe('githubUnavailable');
    expect([w.challenges.consumed.size, w.notices()]).toEqual([0, []]);
  });
});

it('says of a run that ended what became of it, also before its record does', async () => {
  const w = await world();
  const response = await w.signed(undefined);
  Object.assign(w.workflowRuns.runs[0] ?? {}, { hasEnded: true, isCancelled: true });
  const proof = { response };
  expect(await codeOf(decide(w.deps, { person: mona, target, reason: undefined, proof }))).toBe(
    'deploymentDecided',
  );
  const asked = { person: mona, target, reason: undefined, method: undefined };
  expect(await deployOptions(w.deps, asked)).toMatchObject({
    deployment: { state: 'ended' },
    refusal: 'This deployment no longer waits for a decision.',
  });
});

it('says that a run was started again, until GitHub asks about the new attempt', async () => {
  const w = await world();
  Object.assign(w.workflowRuns.runs[0] ?? {}, { attempt: 2 });
  const { attempt: _, ...link } = target;
  const asked = { person: mona, target: link, reason: undefined, method: undefined };
  expect(await codeOf(deployOptions(w.deps, asked))).toBe('runMoved');
  const other = { ...asked, target: { ...link, environment: 'staging' } };
  expect(await codeOf(deployOptions(w.deps, other))).toBe('deploymentNotFound');
});

describe('the statement about a deployment', () => {
  it('names the repository as GitHub does now, whichever former name the link has', async () => {
    const w = await world();
    const former = { ...target, owner: 'Former-Org', repo: 'harmless' };
    const asked = { person: mona, target: former, reason: undefined, method: undefined };
    const { options, statement } = await deployOptions(w.deps, asked);
    expect(statement.repo).toEqual({ id: 42, name: 'octo-org/hello' });
    const response = w.key.get(options) as AuthenticationResponseJSON;
    const { redirect } = await decide(w.deps, {
      person: mona,
      target: former,
      reason: undefined,
      proof: { response },
    });
    expect(redirect).toBe('https://github.com/octo-org/hello/actions/runs/77');
    expect(w.decisions.effects[0]?.activity.data).toMatchObject({ repo: 'hello' });
  });
});
