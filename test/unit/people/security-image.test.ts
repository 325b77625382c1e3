import { describe, expect, it } from '@jest/globals';
import { setPersonalImage } from '../../../src/people/security-image.ts';
import { anImage, fakeStores } from '../../support/fakes.ts';

const octocat = { userId: 'octocat', githubId: 12, login: 'octocat' };

describe('a person’s security image', () => {
  it('is stored, and replaces the previous one', async () => {
    const w = fakeStores();
    await setPersonalImage(w, { session: octocat, image: anImage() });
    const next = anImage({ variant: 'ring' });
    expect(await setPersonalImage(w, { session: octocat, image: next })).toEqual({ image: next });
    expect([...w.users.contacts]).toEqual([['octocat', { login: 'octocat', address: '', image: next }]]);
  });

  it('sends no request to GitHub', async () => {
    const w = fakeStores();
    await setPersonalImage(w, { session: octocat, image: anImage() });
    expect(w.stage.calls).toEqual(['users.setImage']);
  });
});
