import { expect, it } from '@jest/globals';
import { call, createWorld, orgOf, PEOPLE, tokenOf } from '../../security/world.ts';

const octocat = PEOPLE[1] as (typeof PEOPLE)[number];

it.each([
  ['mona', 'mona changed the policy in the meantime.'],
  ['octocat', 'You changed the policy in the meantime.'],
  ['', 'Another owner changed the policy in the meantime.'],
])('a policy that was changed in the meantime by “%s” says who changed it', async (by, text) => {
  const w = await createWorld();
  w.policies.by = by;
  const fields = { org: orgOf(9).login, orgID: 9, accessToken: tokenOf(octocat) };
  const body = { ...fields, policy: { version: 1 }, replaces: 'ab'.repeat(22).slice(0, 43) };
  await expect(call(w, '/github-set-policy', octocat, body)).resolves.toMatchObject({
    message: expect.stringContaining(text),
  });
  expect(w.policies.saved).toEqual([]);
});
