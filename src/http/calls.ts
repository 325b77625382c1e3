import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { approvalOptions } from '../approvals/approve/approval-options.ts';
import {
  type ApproveBatchDeps,
  approve,
  approveBatch,
  approveWithCode,
} from '../approvals/approve/approve.ts';
import { batchOptions, batchTargets } from '../approvals/approve/batch.ts';
import { type DescribeDeps, describeHead } from '../approvals/approve/describe-head.ts';
import { type MatchPatternsDeps, matchPatterns } from '../approvals/policy/match-patterns.ts';
import { type SetPolicyDeps, setPolicy } from '../approvals/policy/set-policy.ts';
import { type TryPolicyDeps, trialCost, tryPolicy } from '../approvals/policy/try-policy.ts';
import { withdrawApproval } from '../approvals/withdraw/withdraw-approval.ts';
import {
  type CountDeps,
  countAuthenticators,
  type PreviewDeps,
  previewAssurance,
} from '../authenticators/count-authenticators.ts';
import { type EndMemberSessionsDeps, endMemberSessions } from '../authenticators/end-member-sessions.ts';
import { type DeviceLinkDeps, makeDeviceLink } from '../authenticators/register/device-link.ts';
import { sendEnrolmentCode } from '../authenticators/register/enrolment-address.ts';
import { registerTotp } from '../authenticators/register/register-totp.ts';
import { registerWebauthn, registrationOptions } from '../authenticators/register/register-webauthn.ts';
import type { RegistrationDeps } from '../authenticators/register/store-registration.ts';
import { previewLoss, type RemovalDeps } from '../authenticators/remove-authenticator.ts';
import { renameAuthenticator } from '../authenticators/rename-authenticator.ts';
import { stepUpOptions } from '../authenticators/step-up/step-up.ts';
import { type EnrolmentDeps, organizationEnrolment } from '../authenticators/vouch/organization-enrolment.ts';
import { type VouchDeps, vouch } from '../authenticators/vouch/vouch.ts';
import { vouchOptions } from '../authenticators/vouch/vouch-options.ts';
import {
  type ApprovalTarget,
  approvalParams,
  approvalTarget,
  approvalWithdrawal,
  batchApproval,
  batchParams,
  webauthnApproval,
} from '../contract/approvals.ts';
import { assurancePreviewRequest } from '../contract/assurance-preview.ts';
import { authenticatorKinds } from '../contract/authenticator-kinds.ts';
import {
  authenticatorEdit,
  lostApprovalsRequest,
  registrationParams,
  webauthnRegistration,
} from '../contract/authenticators.ts';
import { emailConfirmation, emailPrecheck } from '../contract/email.ts';
import { deviceLinkRequest, enrolmentRequest, vouch as vouchRequest } from '../contract/enrolment.ts';
import { hookChange, hookRequest, hooksRequest } from '../contract/hooks.ts';
import { organizationImage, personalImage } from '../contract/image.ts';
import { inboxRequest, noticeChoiceRequest } from '../contract/inbox.ts';
import {
  memberReminder,
  memberSessionsEnd,
  organizationAuthenticatorsRequest,
  organizationMembersRequest,
  organizationPullsRequest,
  organizationRequest,
  organizationStatisticsRequest,
} from '../contract/organization.ts';
import {
  organizationHealthRequest,
  organizationRepositoriesRequest,
} from '../contract/organization-health.ts';
import { patternTrial, policyChange, policyRequest, policyTrial } from '../contract/policy-calls.ts';
import { pullChangesRequest } from '../contract/pull-changes.ts';
import {
  logExportRequest,
  logStatusRequest,
  receiptsExportRequest,
  receiptsRequest,
} from '../contract/receipts.ts';
import { stepUpChallenge } from '../contract/step-up.ts';
import { totpApproval, totpRegistration } from '../contract/totp.ts';
import { type InboxDeps, inbox } from '../inbox/inbox.ts';
import { type NoticeChoiceDeps, noticeChoice } from '../inbox/notice-choice.ts';
import {
  type OrganizationRepositoriesDeps,
  organizationRepositories,
} from '../organizations/check-repositories.ts';
import { type HealthDeps, organizationHealth } from '../organizations/organization-health.ts';
import { organizationHome } from '../organizations/organization-home.ts';
import { setOrganizationImage } from '../organizations/organization-image.ts';
import {
  organizationMembers,
  type RemindMembersDeps,
  remindMembers,
} from '../organizations/organization-members.ts';
import { organizationStatistics } from '../organizations/organization-statistics.ts';
import type { ApprovalStatistics, Memberships, PullSearch } from '../organizations/ports.ts';
import { organizationPulls } from '../organizations/waiting-pulls.ts';
import { listHooks, removeHook, setHook } from '../outgoing-webhooks/set-hook.ts';
import { type TestHookDeps, testHook } from '../outgoing-webhooks/test-hook.ts';
import { type ConfirmEmailDeps, confirmEmail } from '../people/confirm-email.ts';
import type { Session, Sessions } from '../people/ports.ts';
import { setPersonalImage } from '../people/security-image.ts';
import { type SendEmailCodeDeps, sendEmailCode } from '../people/send-email-code.ts';
import { requirePerson, type TokenChecks } from '../people/session.ts';
import { readPolicy, requirePolicy } from '../policies/policy.ts';
import { exportLog, type LogExportDeps } from '../receipts/export-log.ts';
import { exportReceipts, type ReceiptsExportDeps } from '../receipts/export-receipts.ts';
import { type HeadReceiptsDeps, headReceipts } from '../receipts/head-receipts.ts';
import { type LogStatusDeps, logStatus } from '../receipts/log-status.ts';
import { AppError } from '../shared/app-error.ts';
import type { Queues } from '../shared/queues.ts';
import type { BudgetName, CallCost, LimitDeps } from './limits.ts';
import { parseBody } from './parse-body.ts';

export type CallDeps = ApproveBatchDeps &
  RegistrationDeps &
  PreviewDeps &
  CountDeps &
  HealthDeps &
  OrganizationRepositoriesDeps &
  RemindMembersDeps &
  SendEmailCodeDeps &
  EndMemberSessionsDeps &
  RemovalDeps &
  ConfirmEmailDeps &
  SetPolicyDeps &
  TryPolicyDeps &
  MatchPatternsDeps &
  DescribeDeps &
  VouchDeps &
  DeviceLinkDeps &
  EnrolmentDeps &
  HeadReceiptsDeps &
  ReceiptsExportDeps &
  LogExportDeps &
  LogStatusDeps &
  TestHookDeps &
  InboxDeps &
  NoticeChoiceDeps &
  LimitDeps & {
    memberships: Memberships;
    pullSearch: PullSearch;
    statistics: ApprovalStatistics;
    sessions: Sessions;
    newHeads: Pick<Queues<number>, 'yieldTo'>;
    checkToken: TokenChecks;
  };

type Cost = ReturnType<CallCost['cost']>;

/** One product call: its path, what it may cost, and what it does for a session. */
export type Call = {
  path: string;
  /** Null if no budget may refuse it. */
  budget: BudgetName | null;
  /** @throws AppError `malformed` if the body doesn't match the call's schema. */
  prepare(body: unknown): Omit<CallCost, 'storedTargets'> & {
    /** Reads more pull requests that we stored, once the call is counted for its session. */
    storedTargets(deps: CallDeps, session: Session): Promise<ApprovalTarget[]>;
    /** Does the call's work. Its answer is sent as text if it's a string, anything else as JSON. */
    run(deps: CallDeps, session: Session): Promise<unknown>;
  };
};

/** Every product call and its budget. Each accepts a form or JSON, and needs a session. */
export const calls: Call[] = [
  call(
    '/github-register-authenticator-params',
    'authenticator',
    registrationParams,
    async (deps, session, input) => {
      const person = await requirePerson(deps.checkToken, session, input.accessToken);
      return registrationOptions(deps, { person, ...input });
    },
  ),
  call('/github-register-passkey', 'authenticator', webauthnRegistration, async (deps, session, input) => {
    const person = await requirePerson(deps.checkToken, session, input.accessToken);
    return registerWebauthn(deps, {
      person,
      ...input,
      ...input.params,
      response: input.pkCreds as unknown as RegistrationResponseJSON,
    });
  }),
  call('/github-check-webauthn-params', 'approval', approvalParams, async (deps, session, input) => {
    const person = input.accessToken
      ? await requirePerson(deps.checkToken, session, input.accessToken)
      : session;
    return approvalOptions(deps, { person, target: input, method: input.type });
  }),
  call('/github-check-webauthn', 'approval', webauthnApproval, async (deps, session, input) => {
    const person = await requirePerson(deps.checkToken, session, input.accessToken);
    const response = input.authResponse as unknown as AuthenticationResponseJSON;
    return approve(deps, { person, target: input.params, response });
  }),
  call(
    '/approve-batch-params',
    'approval',
    batchParams,
    async (deps, session, { orgID, items: targets, accessToken }) => {
      const person = accessToken ? await requirePerson(deps.checkToken, session, accessToken) : session;
      return batchOptions(deps, { person, orgID, targets });
    },
  ),
  call(
    '/approve-batch',
    'approval',
    batchApproval,
    async (deps, session, { orgID, authResponse, accessToken }) => {
      const person = await requirePerson(deps.checkToken, session, accessToken);
      const response = authResponse as unknown as AuthenticationResponseJSON;
      return approveBatch(deps, { person, orgID, response });
    },
    {
      storedTargets: async (deps, { userId }, { orgID, authResponse }) => {
        const response = authResponse as unknown as AuthenticationResponseJSON;
        return batchTargets(deps, { userId, orgID, response });
      },
    },
  ),
  call('/github-totp-check', 'approval', totpApproval, async (deps, session, input) => {
    const person = await requirePerson(deps.checkToken, session, input.accessToken);
    return approveWithCode(deps, { person, target: input, base: input.base, code: input.otp });
  }),
  call('/github-withdraw-approval', 'revocation', approvalWithdrawal, async (deps, session, input) => {
    const { accessToken, ...target } = input;
    const person = await requirePerson(deps.checkToken, session, accessToken);
    return withdrawApproval(deps, { person, target });
  }),
  call('/pull-changes', 'changes', pullChangesRequest, async (deps, session, input) => {
    const { accessToken = '', ...target } = input;
    const person = await requirePerson(deps.checkToken, session, accessToken);
    return describeHead(deps, { person, accessToken, target });
  }),
  call('/github-register-totp', 'authenticator', totpRegistration, async (deps, session, input) => {
    const person = await requirePerson(deps.checkToken, session, input.accessToken);
    return registerTotp(deps, { ...input, person });
  }),
  call('/webauthn-challenge', 'stepUp', stepUpChallenge, async (deps, session, input) => {
    const { orgID, policy, ...action } = input;
    const org = await deps.organizations.byOrgId(orgID);
    if (!org) throw new AppError('installationNotFound');
    if (action.type === 'vouch')
      return vouchOptions(deps, { session, org, authenticatorID: action.authenticatorID });
    const policySha256 = action.type === 'change-policy' ? requirePolicy(policy).sha256 : undefined;
    return stepUpOptions(deps, { session, org, action: { ...action, policySha256 } });
  }),
  call('/github-edit-authenticator', 'mail', authenticatorEdit, async (deps, session, input) => {
    await renameAuthenticator(deps, { session, ...input });
    return 'ok';
  }),
  call(
    '/lost-approvals',
    'organization',
    lostApprovalsRequest,
    (deps, session, { type, since, ...about }) => {
      const { collection } = authenticatorKinds[type];
      return previewLoss(deps, { session, ...about, collection, since: new Date(since) });
    },
  ),
  call('/github-precheck-email', 'local', emailPrecheck, (deps, session, { email, orgID }) =>
    orgID === undefined
      ? sendEmailCode(deps, { session, email })
      : sendEnrolmentCode(deps, { session, email, orgID }),
  ),
  call('/organization-enrolment', 'organization', enrolmentRequest, (deps, session, { orgID }) =>
    organizationEnrolment(deps, { session, orgID }),
  ),
  call('/github-vouch', 'authenticator', vouchRequest, async (deps, session, input) => {
    const { stepUp: proof, accessToken, ...vouched } = input;
    const person = await requirePerson(deps.checkToken, session, accessToken);
    await vouch(deps, { person, ...vouched, proof });
    return 'ok';
  }),
  call('/device-link', 'authenticator', deviceLinkRequest, async (deps, session, input) => {
    const { orgID, stepUp: proof, accessToken } = input;
    const person = await requirePerson(deps.checkToken, session, accessToken);
    return makeDeviceLink(deps, { person, orgID, proof });
  }),
  call('/github-confirm-email', 'local', emailConfirmation, async (deps, session, input) => {
    await confirmEmail(deps, { session, ...input });
    return 'ok';
  }),
  call('/notice-choice', 'local', noticeChoiceRequest, (deps, session, { choice }) =>
    noticeChoice(deps, { session, choice }),
  ),
  call('/inbox', 'inbox', inboxRequest, (deps, session, { accessToken }) =>
    inbox(deps, { session, accessToken }),
  ),
  call('/personal-set-image', 'local', personalImage, (deps, session, { image }) =>
    setPersonalImage(deps, { session, image }),
  ),
  call('/github-set-image', 'organization', organizationImage, (deps, session, input) =>
    setOrganizationImage(deps, { session, ...input }),
  ),
  call('/organization', 'organization', organizationRequest, (deps, session, input) =>
    organizationHome(deps, { session, ...input }),
  ),
  call('/organization-health', 'health', organizationHealthRequest, (deps, session, input) =>
    organizationHealth(deps, { session, ...input }),
  ),
  call('/github-preview-assurance', 'organization', assurancePreviewRequest, async (deps, session, input) => {
    const person = await requirePerson(deps.checkToken, session, input.accessToken);
    return previewAssurance(deps, { session: person, orgID: input.orgID, assurance: input.assurance });
  }),
  call(
    '/organization-authenticators',
    'local',
    organizationAuthenticatorsRequest,
    (deps, session, { orgID }) => countAuthenticators(deps, { session, orgID }),
  ),
  call('/organization-members', 'organization', organizationMembersRequest, (deps, session, input) =>
    organizationMembers(deps, { session, ...input }),
  ),
  call('/organization-pulls', 'organization', organizationPullsRequest, (deps, session, input) =>
    organizationPulls(deps, { session, ...input }),
  ),
  call(
    '/organization-repositories',
    'organization',
    organizationRepositoriesRequest,
    (deps, session, input) => organizationRepositories(deps, { session, ...input }),
  ),
  call('/organization-statistics', 'organization', organizationStatisticsRequest, (deps, session, input) =>
    organizationStatistics(deps, { session, ...input }),
  ),
  call(
    '/remind-members',
    'reminder',
    memberReminder,
    async (deps, session, { orgID, memberID, accessToken }) => {
      const person = await requirePerson(deps.checkToken, session, accessToken);
      return remindMembers(deps, { person, orgID, memberID });
    },
  ),
  call('/end-member-sessions', 'revocation', memberSessionsEnd, async (deps, session, input) => {
    const { orgID, memberID, stepUp: proof, accessToken } = input;
    const person = await requirePerson(deps.checkToken, session, accessToken);
    await endMemberSessions(deps, { person, orgID, memberID, proof });
    return 'ok';
  }),
  call('/organization-policy', 'organization', policyRequest, (deps, session, { orgID }) =>
    readPolicy(deps, { session, orgID }),
  ),
  call('/github-set-policy', 'authenticator', policyChange, async (deps, session, input) => {
    const { orgID, policy, replaces, stepUp: proof, accessToken } = input;
    const person = await requirePerson(deps.checkToken, session, accessToken);
    return setPolicy(deps, { person, orgID, policy, replaces, proof });
  }),
  call(
    '/github-try-policy',
    'trial',
    policyTrial,
    async (deps, session, { accessToken, ...trial }) => {
      const person = await requirePerson(deps.checkToken, session, accessToken);
      return tryPolicy(deps, { person, ...trial });
    },
    { costOf: ({ policy }) => trialCost(policy) },
  ),
  call('/github-match-patterns', 'organization', patternTrial, async (deps, session, input) => {
    const { orgID, accessToken, ...lists } = input;
    const person = await requirePerson(deps.checkToken, session, accessToken);
    return matchPatterns(deps, { person, orgID, lists });
  }),
  call('/receipts', 'proof', receiptsRequest, (deps, session, target) =>
    headReceipts(deps, { session, target }),
  ),
  call('/receipts-export', 'trial', receiptsExportRequest, async (deps, session, input) => {
    const { orgID, accessToken, ...query } = input;
    const person = await personOf(deps, session, accessToken);
    return exportReceipts(deps, { session: person, orgID, query });
  }),
  call('/log-export', 'proof', logExportRequest, async (deps, session, { accessToken, ...period }) => {
    const person = await personOf(deps, session, accessToken);
    return exportLog(deps, { session: person, ...period });
  }),
  call('/organization-log', 'proof', logStatusRequest, (deps, session, { orgID }) =>
    logStatus(deps, { session, orgID }),
  ),
  call('/organization-hooks', 'organization', hooksRequest, (deps, session, { orgID }) =>
    listHooks(deps, { session, orgID }),
  ),
  call('/set-hook', 'hook', hookChange, async (deps, session, { accessToken, ...change }) => {
    const person = await requirePerson(deps.checkToken, session, accessToken);
    return setHook(deps, { person, ...change });
  }),
  call('/remove-hook', 'revocation', hookRequest, async (deps, session, { accessToken, ...wanted }) => {
    const person = await requirePerson(deps.checkToken, session, accessToken);
    await removeHook(deps, { person, ...wanted });
    return 'ok';
  }),
  call('/test-hook', 'hook', hookRequest, async (deps, session, { accessToken, ...wanted }) => {
    const person = await requirePerson(deps.checkToken, session, accessToken);
    return testHook(deps, { person, ...wanted });
  }),
  // It ends the session, so it's made once, and who lost their session to a thief has to be able to make it.
  call('/logout', null, z.unknown(), async (deps, session) => {
    await deps.sessions.endAll(session.userId);
    return 'ok';
  }),
];

/** A GitHub token isn't needed for what people only read. If it's sent, it has to be the session's own person's. */
const personOf = async ({ checkToken }: CallDeps, session: Session, accessToken: string | undefined) =>
  accessToken ? requirePerson(checkToken, session, accessToken) : session;

/** What a call counts as, in addition to the pull requests that its body names. */
type Counting<Input> = {
  storedTargets?: About<Input, ApprovalTarget[]>;
  costOf?: (input: Input) => Cost;
};

const ONE: Cost = { requests: 1, work: 1 };

type About<Input, Answer> = (deps: CallDeps, session: Session, input: Input) => Promise<Answer>;

function call<S extends z.ZodType>(
  path: string,
  budget: BudgetName | null,
  schema: S,
  run: About<z.infer<S>, unknown>,
  { storedTargets = async () => [], costOf = () => ONE }: Counting<z.infer<S>> = {},
): Call {
  return {
    path,
    budget,
    prepare(body) {
      const input = parseBody(schema, body);
      return {
        orgID: orgIn(input),
        targets: targetsIn(input),
        cost: () => costOf(input),
        storedTargets: (deps, session) => storedTargets(deps, session, input),
        run: (deps, session) => run(deps, session, input),
      };
    },
  };
}

/** The contract names an organization `orgID`, or `ownerID` of a pull request; some bodies hold it in `params`. */
function orgIn(input: unknown): number | undefined {
  const { orgID, ownerID, params } = (input ?? {}) as { orgID?: number; ownerID?: number; params?: unknown };
  return orgID ?? ownerID ?? (params ? orgIn(params) : undefined);
}

/** A body is a target itself, holds one in `params`, or several in `items`. */
function targetsIn(input: unknown): ApprovalTarget[] {
  const { items, params } = (input ?? {}) as { items?: unknown; params?: unknown };
  const all = Array.isArray(items) ? items : [params ?? input];
  return all.flatMap((one) => approvalTarget.safeParse(one).data ?? []);
}
