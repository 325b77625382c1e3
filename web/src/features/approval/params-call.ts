import type { ApprovalTarget } from './approval-target.ts';

/** The method that the person approves with. */
export type ParamsType = 'webauthn' | 'totp';

/** The call that answers what is approved, with a challenge for it. */
export const paramsCall = (type: ParamsType, target: ApprovalTarget, accessToken: string) => ({
  path: '/github-check-webauthn-params' as const,
  body: { type, ...target, accessToken },
});
