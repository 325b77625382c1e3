import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { z } from 'zod';
import { confirmEmail, type EmailDeps, sendEmailCode } from '../accounts/email.ts';
import { type HealthDeps, organizationHealth } from '../accounts/organization-health.ts';
import { organizationHome, organizationMembers } from '../accounts/organization-home.ts';
import type { Memberships, Session, Sessions } from '../accounts/ports.ts';
import { setOrganizationImage, setPersonalImage } from '../accounts/security-image.ts';
import { requirePerson, type TokenChecks } from '../accounts/session.ts';
import { AppError } from '../app-error.ts';
import { type ApproveDeps, approve } from '../approvals/approve.ts';
import { approveWithCode } from '../approvals/approve-with-code.ts';
import { approvalOptions } from '../approvals/options.ts';
import { registerTotp } from '../authenticators/register-totp.ts';
import {
  type RegistrationDeps,
  registerWebauthn,
  registrationOptions,
} from '../authenticators/registration.ts';
import { renameAuthenticator } from '../authenticators/rename.ts';
import { stepUpOptions } from '../authenticators/step-up.ts';
import { approvalParams, webauthnApproval } from '../contract/approvals.ts';
import { authenticatorEdit, registrationParams, webauthnRegistration } from '../contract/authenticators.ts';
import { emailConfirmation, emailPrecheck } from '../contract/email.ts';
import { organizationImage, personalImage } from '../contract/image.ts';
import {
  organizationHealthRequest,
  organizationMembersRequest,
  organizationRequest,
} from '../contract/organization.ts';
import { stepUpChallenge } from '../contract/step-up.ts';
import { totpApproval, totpRegistration } from '../contract/totp.ts';
import { parseBody } from './parse-body.ts';

export type CallDeps = ApproveDeps &
  RegistrationDeps &
  HealthDeps &
  EmailDeps & { memberships: Memberships; sessions: Sessions; checkToken: TokenChecks };

/** One product call: where it is, what it takes, and what it does for the session that makes it. */
export type Call = {
  path: string;
  /** Answers JSON, or text where it returns a string. */
  run(deps: CallDeps, session: Session, body: unknown): Promise<unknown>;
};

/**
 * The product's calls. Each takes a form and JSON alike, and needs a session.
 */
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
    return approveWithCode(deps, { person, target: input, code: input.otp });
  }),
  call('/github-register-totp', totpRegistration, async (deps, session, input) => {
    const person = await requirePerson(deps.checkToken, session, input.accessToken);
    return registerTotp(deps, { ...input, person });
  }),
  call('/webauthn-challenge', stepUpChallenge, async (deps, session, { orgID, type, authenticatorID }) => {
    const org = await deps.organizations.byOrgId(orgID);
    if (!org) throw new AppError('installationNotFound');
    return stepUpOptions(deps, { session, org, action: { type, authenticatorID } });
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
