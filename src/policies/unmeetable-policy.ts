import { DEFAULT_POLICY, type Policy } from '../contract/policy.ts';

/**
 * In force if OTP Guard didn't write an organization's newest policy: no check passes until an owner
 * sets one again, and nobody's first authenticator counts without a vouch.
 */
export const UNMEETABLE_POLICY: Policy = {
  ...DEFAULT_POLICY,
  enrolment: { ...DEFAULT_POLICY.enrolment, mode: 'vouched' },
  rules: [
    {
      name: 'The policy in the database isn’t ours: an owner has to set it again',
      enforced: true,
      when: { authors: 'anyone' },
      require: { approvals: 1, from: [], notBy: [], userVerification: 'preferred' },
    },
  ],
};
