import { describe, expect, it } from '@jest/globals';
import { storedStoryOf, storyOf } from '../../../src/approvals/story.ts';
import { aDenial, anApproval, anInstallation, anOpenPull, aPull, HEAD, REPO } from '../../support/fakes.ts';
import { world } from './world.ts';

const BEFORE = 'be'.repeat(20);

/** Mona approved an earlier head and took it back; jan, who never signed in here, approved the present one. */
async function start() {
  const w = world();
  const org = await w.organizations.save(anInstallation());
  await w.users.saveProfile('mona', { id: 11, login: 'mona', avatarUrl: 'https://avatars.example/11' });
  const taken = w.approvals.put(anApproval({ head: BEFORE, githubId: 11, login: 'mona', orgId: org.orgId }));
  await w.approvals.withdraw({ ...taken, repo: REPO }, {} as never);
  w.approvals.put(anApproval({ githubId: 12, login: 'jan', orgId: org.orgId }));
  w.approvals.put(anApproval({ pr: 8, githubId: 13, orgId: org.orgId }));
  w.approvals.put(aDenial({ githubId: 11, login: 'mona', orgId: org.orgId }));
  return { w, org };
}

describe('the story of a pull request', () => {
  it('has who opened it and the approvals of each of its heads, with the faces that we have', async () => {
    const { w } = await start();
    const pull = aPull();
    const story = await storyOf(w, pull);
    expect(story).toMatchObject({
      head: pull.head,
      base: pull.base,
      opened: { at: pull.createdAt.toISOString() },
    });
    expect(
      story.approvals.map(({ login, head, avatarUrl, withdrawn }) => [
        login,
        head,
        avatarUrl,
        withdrawn !== null,
      ]),
    ).toEqual([
      ['mona', BEFORE, 'https://avatars.example/11', true],
      ['jan', HEAD, '', false],
    ]);
    expect(story.denials).toMatchObject([
      { login: 'mona', head: HEAD, reason: 'drops a table', withdrawn: null },
    ]);
  });

  it('says nothing about opening and head unless the pull request is known to be open, and nothing to another account', async () => {
    const { w, org } = await start();
    const pull = { repoId: anApproval().repoId, pr: 7 };
    const { opened, head, approvals } = await storedStoryOf(w, org.orgId, pull);
    expect([opened, head, approvals.length]).toEqual([null, null, 2]);
    await w.openPulls.save(org.orgId, [anOpenPull()], w.clock.now());
    expect(await storedStoryOf(w, org.orgId, pull)).toMatchObject({
      opened: { by: { login: anOpenPull().author } },
      head: HEAD,
    });
    const ofOther = await storedStoryOf(w, org.orgId + 1, pull);
    expect(ofOther).toEqual({ opened: null, head: null, base: null, approvals: [], denials: [] });
  });
});
