import { authenticatorTypes } from './authenticator-kinds.ts';
import type { Policy } from './policy.ts';

/** The policy of an organization that hasn't set one: one approval of any member, with any authenticator. */
export const DEFAULT_POLICY: Policy = {
  version: 1,
  enrolment: { mode: 'open', domains: [], vouchers: 'owners' },
  assurance: {
    methods: [...authenticatorTypes],
    userVerification: 'preferred',
    deviceBound: false,
    models: [],
  },
  agents: { logins: [], emails: [] },
  rules: [],
};
