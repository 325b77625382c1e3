import { expect, it } from '@jest/globals';
import { DEFAULT_POLICY } from '../../../src/contract/default-policy.ts';
import { policySchema } from '../../../src/contract/policy.ts';

it('is what the schema makes of a policy that says nothing', () => {
  expect(DEFAULT_POLICY).toEqual(policySchema.parse({ version: 1 }));
});
