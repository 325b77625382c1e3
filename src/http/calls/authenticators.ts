import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { acknowledge, acknowledgeOptions } from '../../authenticators/acknowledge.ts';
import type { AuthenticatorCallDeps } from '../../authenticators/call-deps.ts';
import { countAuthenticators } from '../../authenticators/count-authenticators.ts';
import { endMemberSessions } from '../../authenticators/end-member-sessions.ts';
import { makeDeviceLink } from '../../authenticators/register/device-link.ts';
import { sendEnrolmentCode } from '../../authenticators/register/enrolment-address.ts';
import { registerTotp } from '../../authenticators/register/register-totp.ts';
import { registerWebauthn, registrationOptions } from '../../authenticators/register/register-webauthn.ts';
import { previewLoss } from '../../authenticators/remove-authenticator.ts';
import { renameAuthenticator } from '../../authenticators/rename-authenticator.ts';
import { stepUpOptions } from '../../authenticators/step-up/step-up.ts';
import { organizationEnrolment } from '../../authenticators/vouch/organization-enrolment.ts';
import { vouch, vouchOptions } from '../../authenticators/vouch/vouch.ts';
import { authenticatorKinds } from '../../contract/authenticator-kinds.ts';
import {
  authenticatorEdit,
  lostApprovalsRequest,
  registrationParams,
  totpRegistration,
  webauthnRegistration,
} from '../../contract/authenticators.ts';
import { emailPrecheck } from '../../contract/email.ts';
import { deviceLinkRequest, enrolmentRequest, vouch as vouchRequest } from '../../contract/enrolment.ts';
import { memberSessionsEnd, organizationRequest } from '../../contract/organization.ts';
import { acknowledgement, acknowledgeParams } from '../../contract/protection.ts';
import { stepUpChallenge } from '../../contract/step-up.ts';
import { sendEmailCode } from '../../people/email-code.ts';
import { requirePolicy } from '../../policies/policy.ts';
import { AppError } from '../../shared/app-error.ts';
import { aboutNothing, aboutOrg, callsOf, forPerson, forSession } from './call.ts';

export const authenticatorCalls = callsOf<AuthenticatorCallDeps>([
  forSession('/github-precheck-email', 'local', aboutOrg, emailPrecheck, (deps, { session, email, orgID }) =>
    orgID === undefined
      ? sendEmailCode(deps, { session, email })
      : sendEnrolmentCode(deps, { session, email, orgID }),
  ),
  forPerson(
    '/github-register-authenticator-params',
    'authenticator',
    aboutOrg,
    registrationParams,
    registrationOptions,
  ),
  forPerson(
    '/github-register-passkey',
    'authenticator',
    ({ params }) => aboutOrg(params),
    webauthnRegistration,
    (deps, { params, ...body }) =>
      registerWebauthn(deps, {
        ...body,
        ...params,
        response: body.pkCreds as unknown as RegistrationResponseJSON,
      }),
  ),
  forPerson('/github-register-totp', 'authenticator', aboutOrg, totpRegistration, registerTotp),
  forSession(
    '/webauthn-challenge',
    'stepUp',
    aboutOrg,
    stepUpChallenge,
    async (deps, { session, orgID, ...body }) => {
      const { policy, ...action } = body;
      const org = await deps.organizations.byOrgId(orgID);
      if (!org) throw new AppError('installationNotFound');
      if (action.type === 'vouch')
        return vouchOptions(deps, { session, org, authenticatorID: action.authenticatorID });
      const policySha256 = action.type === 'change-policy' ? requirePolicy(policy).sha256 : undefined;
      return stepUpOptions(deps, { session, org, action: { ...action, policySha256 } });
    },
  ),
  forSession('/github-edit-authenticator', 'mail', aboutNothing, authenticatorEdit, renameAuthenticator),
  forSession(
    '/lost-approvals',
    'organization',
    aboutOrg,
    lostApprovalsRequest,
    (deps, { type, since, ...about }) => {
      const { collection } = authenticatorKinds[type];
      return previewLoss(deps, { ...about, collection, since: new Date(since) });
    },
  ),
  forSession('/organization-authenticators', 'local', aboutOrg, organizationRequest, countAuthenticators),
  forSession('/organization-enrolment', 'organization', aboutOrg, enrolmentRequest, organizationEnrolment),
  forPerson('/github-vouch', 'authenticator', aboutOrg, vouchRequest, vouch),
  forPerson('/device-link', 'authenticator', aboutOrg, deviceLinkRequest, makeDeviceLink),
  forPerson('/acknowledge-params', 'authenticator', aboutOrg, acknowledgeParams, acknowledgeOptions),
  forPerson('/acknowledge', 'authenticator', aboutOrg, acknowledgement, acknowledge),
  forPerson('/end-member-sessions', 'revocation', aboutOrg, memberSessionsEnd, endMemberSessions),
]);
