import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { z } from 'zod';
import { AppError } from '../app-error.ts';
import { approvalOptions } from '../approvals/approval-options.ts';
import { type ApproveDeps, approve } from '../approvals/approve.ts';
import { approveWithCode } from '../approvals/approve-with-code.ts';
import { withdrawApproval } from '../approvals/withdraw-approval.ts';
import { type EndMemberSessionsDeps, endMemberSessions } from '../authenticators/end-member-sessions.ts';
import { registerTotp } from '../authenticators/register-totp.ts';
import { registerWebauthn } from '../authenticators/register-webauthn.ts';
import { registrationOptions } from '../authenticators/registration-options.ts';
import type { RemovalDeps } from '../authenticators/remove-authenticator.ts';
import { renameAuthenticator } from '../authenticators/rename-authenticator.ts';
import { stepUpOptions } from '../authenticators/step-up.ts';
import type { RegistrationDeps } from '../authenticators/store-registration.ts';
import { approvalParams, approvalWithdrawal, webauthnApproval } from '../contract/approvals.ts';
import { authenticatorEdit, registrationParams, webauthnRegistration } from '../contract/authenticators.ts';
import { emailConfirmation, emailPrecheck } from '../contract/email.ts';
import { organizationImage, personalImage } from '../contract/image.ts';
import {
  memberSessionsEnd,
  organizationMembersRequest,
  organizationRequest,
} from '../contract/organization.ts';
import { organizationHealthRequest } from '../contract/organization-health.ts';
import { stepUpChallenge } from '../contract/step-up.ts';
import { totpApproval, totpRegistration } from '../contract/totp.ts';
import { type HealthDeps, organizationHealth } from '../organizations/organization-health.ts';
import { organizationHome } from '../organizations/organization-home.ts';
import { setOrganizationImage } from '../organizations/organization-image.ts';
import { organizationMembers } from '../organizations/organization-members.ts';
import type { Memberships } from '../organizations/ports.ts';
import { type ConfirmEmailDeps, confirmEmail } from '../people/confirm-email.ts';
import type { Session, Sessions } from '../people/ports.ts';
import { setPersonalImage } from '../people/security-image.ts';
import { type SendEmailCodeDeps, sendEmailCode } from '../people/send-email-code.ts';
import { requirePerson } from '../people/session.ts';
import type { TokenChecks } from '../people/token-checks.ts';
import { parseBody } from './parse-body.ts';

export type CallDeps = ApproveDeps &
  RegistrationDeps &
  HealthDeps &
  SendEmailCodeDeps &
  EndMemberSessionsDeps &
  RemovalDeps &
  ConfirmEmailDeps & { memberships: Memberships; sessions: Sessions; checkToken: TokenChecks };

/** One product call: its path, and what it does for a session. */
export type Call = {
  path: string;
  /**
   * Returns the answer: a string is sent as text, anything else as JSON.
   *
   * @throws AppError `malformed` if the body doesn't match the call's schema.
   */
  run(deps: CallDeps, session: Session, body: unknown): Promise<unknown>;
};

/** Every product call. Each accepts a form or JSON, and needs a session. */
export const calls: Call[] = [
  call('/github-register-authenticator-params', registrationParams, async (deps, session, input) => {
    const person = await requirePerson(deps.checkToken, session, input.accessToken);
    return registrationOptions(deps, { person, ...input });
  }),
  call('/github-register-passkey', webauthnRegistration, async (deps, session, input) => {
    const person = await requirePerson(deps.checkToken, session, input.accessToken);
    return registerWebauthn(deps, {
      person,
      ...input.params,
      response: input.pkCreds as unknown as RegistrationResponseJSON,
      stepUp: input.stepUp,
    });
  }),
  call('/github-check-webauthn-params', approvalParams, async (deps, session, input) => {
    const person = input.accessToken
      ? await requirePerson(deps.checkToken, session, input.accessToken)
      : session;
    return approvalOptions(deps, { person, target: input, method: input.type });
  }),
  call('/github-check-webauthn', webauthnApproval, async (deps, session, input) => {
    const person = await requirePerson(deps.checkToken, session, input.accessToken);
    return approve(deps, {
      person,
      target: input.params,
      response: input.authResponse as unknown as AuthenticationResponseJSON,
    });
  }),
  call('/github-totp-check', totpApproval, async (deps, session, input) => {
    const person = await requirePerson(deps.checkToken, session, input.accessToken);
    return approveWithCode(deps, { person, target: input, base: input.base, code: input.otp });
  }),
  call('/github-withdraw-approval', approvalWithdrawal, async (deps, session, { accessToken, ...target }) => {
    const person = await requirePerson(deps.checkToken, session, accessToken);
    return withdrawApproval(deps, { person, target });
  }),
  call('/github-register-totp', totpRegistration, async (deps, session, input) => {
    const person = await requirePerson(deps.checkToken, session, input.accessToken);
    return registerTotp(deps, { ...input, person });
  }),
  call('/webauthn-challenge', stepUpChallenge, async (deps, session, { orgID, ...action }) => {
    const org = await deps.organizations.byOrgId(orgID);
    if (!org) throw new AppError('installationNotFound');
    return stepUpOptions(deps, { session, org, action });
  }),
  call('/github-edit-authenticator', authenticatorEdit, async (deps, session, input) => {
    await renameAuthenticator(deps, { session, ...input });
    return 'ok';
  }),
  call('/github-precheck-email', emailPrecheck, (deps, session, { email }) =>
    sendEmailCode(deps, { session, email }),
  ),
  call('/github-confirm-email', emailConfirmation, async (deps, session, input) => {
    await confirmEmail(deps, { session, ...input });
    return 'ok';
  }),
  call('/personal-set-image', personalImage, (deps, session, { image }) =>
    setPersonalImage(deps, { session, image }),
  ),
  call('/github-set-image', organizationImage, (deps, session, input) =>
    setOrganizationImage(deps, { session, ...input }),
  ),
  call('/organization', organizationRequest, (deps, session, input) =>
    organizationHome(deps, { session, ...input }),
  ),
  call('/organization-health', organizationHealthRequest, (deps, session, input) =>
    organizationHealth(deps, { session, ...input }),
  ),
  call('/organization-members', organizationMembersRequest, (deps, session, input) =>
    organizationMembers(deps, { session, ...input }),
  ),
  call('/end-member-sessions', memberSessionsEnd, async (deps, session, input) => {
    const { orgID, memberID, stepUp: proof, accessToken } = input;
    const person = await requirePerson(deps.checkToken, session, accessToken);
    await endMemberSessions(deps, { person, orgID, memberID, proof });
    return 'ok';
  }),
  {
    path: '/logout',
    async run(deps, session) {
      await deps.sessions.endAll(session.userId);
      return 'ok';
    },
  },
];

function call<S extends z.ZodType>(
  path: string,
  schema: S,
  run: (deps: CallDeps, session: Session, input: z.infer<S>) => Promise<unknown>,
): Call {
  return { path, run: (deps, session, body) => run(deps, session, parseBody(schema, body)) };
}
