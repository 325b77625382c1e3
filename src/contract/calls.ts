import type { z } from 'zod';
import type {
  ApprovalAnswer,
  ApprovalParamsAnswer,
  approvalParams,
  BatchAnswer,
  BatchParamsAnswer,
  batchApproval,
  batchParams,
  headRequest,
  PullChangesAnswer,
  RequestOptions,
  WithdrawalAnswer,
  webauthnApproval,
} from './approvals.ts';
import type {
  authenticatorEdit,
  LostApprovals,
  lostApprovalsRequest,
  RegistrationAnswer,
  RegistrationParamsAnswer,
  registrationParams,
  TotpRegistrationAnswer,
  totpApproval,
  totpRegistration,
  webauthnRegistration,
} from './authenticators.ts';
import type { bypassLists } from './bypass-lists.ts';
import type { DenialAnswer, DenyParamsAnswer, denial, denyParams, setAsideRequest } from './denials.ts';
import type { DeployAnswer, DeployParamsAnswer, deployCheck, deployParams } from './deployments.ts';
import type { EmailPrecheckAnswer, emailCodeProof, emailPrecheck } from './email.ts';
import type {
  DeviceLinkAnswer,
  deviceLinkRequest,
  EnrolmentAnswer,
  enrolmentRequest,
  VouchChallengeAnswer,
  vouch,
} from './enrolment.ts';
import type { ImageAnswer, organizationImage, personalImage } from './image.ts';
import type { InboxAnswer, inboxRequest, NoticeChoiceAnswer, noticeChoiceRequest } from './inbox.ts';
import type {
  MemberReminderAnswer,
  memberReminder,
  memberSessionsEnd,
  OrganizationAnswer,
  OrganizationAuthenticatorsAnswer,
  OrganizationMembersAnswer,
  OrganizationPullsAnswer,
  OrganizationStatisticsAnswer,
  organizationMembersRequest,
  organizationPullsRequest,
  organizationRequest,
} from './organization.ts';
import type {
  BypassListsAnswer,
  OrganizationHealth,
  OrganizationRepositoriesAnswer,
  organizationHealthRequest,
  organizationRepositoriesRequest,
} from './organization-health.ts';
import type {
  OutgoingWebhookChangeAnswer,
  OutgoingWebhooksAnswer,
  OutgoingWebhookTestAnswer,
  outgoingWebhookChange,
  outgoingWebhookRequest,
  outgoingWebhooksRequest,
} from './outgoing-webhooks.ts';
import type { Policy } from './policy.ts';
import type {
  AssurancePreviewAnswer,
  assurancePreviewRequest,
  PatternMatchesAnswer,
  PolicyPreviewAnswer,
  PolicyTrialAnswer,
  patternTrial,
  policyChange,
  policyPreview,
  policyRequest,
  policyTrial,
  RuleApproversAnswer,
  ruleApproversRequest,
} from './policy-calls.ts';
import type { acknowledgement, acknowledgeParams } from './protection.ts';
import type {
  LogExportPage,
  LogStatus,
  logExportRequest,
  logStatusRequest,
  ReceiptsAnswer,
  ReceiptsExport,
  receiptsExportRequest,
  receiptsRequest,
} from './receipts.ts';
import type { RollOutAnswer, rollOutRequest } from './roll-out.ts';
import type { AcknowledgeStatement, PolicyStatement } from './statement.ts';
import type { stepUpChallenge } from './step-up.ts';

/** A challenge to sign. With a statement, the challenge is its hash. */
export type ChallengeAnswer<Statement> = { challenge: string; options: RequestOptions } & Statement;

/** What a client sends, and what it gets. */
type Call<Body extends z.ZodType, Answer> = { body: z.input<Body>; answer: Answer };

/** Every product call, `POST` each. `docs/api.md` says what they do, and `src/http/calls` what each runs. */
export type Calls = {
  // People
  '/github-precheck-email': Call<typeof emailPrecheck, EmailPrecheckAnswer>;
  '/github-confirm-email': Call<typeof emailCodeProof, 'ok'>;
  '/personal-set-image': Call<typeof personalImage, ImageAnswer>;
  '/logout': { body: object; answer: 'ok' };
  // Organizations
  '/organization': Call<typeof organizationRequest, OrganizationAnswer>;
  '/organization-health': Call<typeof organizationHealthRequest, OrganizationHealth>;
  '/organization-members': Call<typeof organizationMembersRequest, OrganizationMembersAnswer>;
  '/organization-pulls': Call<typeof organizationPullsRequest, OrganizationPullsAnswer>;
  '/organization-repositories': Call<typeof organizationRepositoriesRequest, OrganizationRepositoriesAnswer>;
  '/organization-statistics': Call<typeof organizationRequest, OrganizationStatisticsAnswer>;
  '/github-set-image': Call<typeof organizationImage, ImageAnswer>;
  '/bypass-lists': Call<typeof bypassLists, BypassListsAnswer>;
  '/remind-members': Call<typeof memberReminder, MemberReminderAnswer>;
  // Policies
  '/organization-policy': Call<typeof policyRequest, Policy>;
  '/github-set-policy': Call<typeof policyChange, Policy>;
  '/github-try-policy': Call<typeof policyTrial, PolicyTrialAnswer>;
  '/github-preview-policies': Call<typeof policyPreview, PolicyPreviewAnswer>;
  '/github-match-patterns': Call<typeof patternTrial, PatternMatchesAnswer>;
  '/github-preview-assurance': Call<typeof assurancePreviewRequest, AssurancePreviewAnswer>;
  '/rule-approvers': Call<typeof ruleApproversRequest, RuleApproversAnswer>;
  // Authenticators
  '/github-register-authenticator-params': Call<typeof registrationParams, RegistrationParamsAnswer>;
  '/github-register-passkey': Call<typeof webauthnRegistration, RegistrationAnswer>;
  '/github-register-totp': Call<typeof totpRegistration, TotpRegistrationAnswer>;
  '/webauthn-challenge': Call<
    typeof stepUpChallenge,
    ChallengeAnswer<{ statement?: PolicyStatement }> | VouchChallengeAnswer
  >;
  '/github-edit-authenticator': Call<typeof authenticatorEdit, 'ok'>;
  '/lost-approvals': Call<typeof lostApprovalsRequest, LostApprovals>;
  '/organization-authenticators': Call<typeof organizationRequest, OrganizationAuthenticatorsAnswer>;
  '/organization-enrolment': Call<typeof enrolmentRequest, EnrolmentAnswer>;
  '/github-vouch': Call<typeof vouch, 'ok'>;
  '/device-link': Call<typeof deviceLinkRequest, DeviceLinkAnswer>;
  '/acknowledge-params': Call<typeof acknowledgeParams, ChallengeAnswer<{ statement: AcknowledgeStatement }>>;
  '/acknowledge': Call<typeof acknowledgement, 'ok'>;
  '/end-member-sessions': Call<typeof memberSessionsEnd, 'ok'>;
  // Approvals
  '/github-check-webauthn-params': Call<typeof approvalParams, ApprovalParamsAnswer>;
  '/github-check-webauthn': Call<typeof webauthnApproval, ApprovalAnswer>;
  '/github-totp-check': Call<typeof totpApproval, ApprovalAnswer>;
  '/approve-batch-params': Call<typeof batchParams, BatchParamsAnswer>;
  '/approve-batch': Call<typeof batchApproval, BatchAnswer>;
  '/github-withdraw-approval': Call<typeof headRequest, WithdrawalAnswer>;
  '/deny-params': Call<typeof denyParams, DenyParamsAnswer>;
  '/deny': Call<typeof denial, DenialAnswer>;
  '/set-aside-denial': Call<typeof setAsideRequest, WithdrawalAnswer>;
  '/pull-changes': Call<typeof headRequest, PullChangesAnswer>;
  // Deployments
  '/deploy-params': Call<typeof deployParams, DeployParamsAnswer>;
  '/deploy-check': Call<typeof deployCheck, DeployAnswer>;
  // Receipts
  '/receipts': Call<typeof receiptsRequest, ReceiptsAnswer>;
  '/receipts-export': Call<typeof receiptsExportRequest, ReceiptsExport>;
  '/log-export': Call<typeof logExportRequest, LogExportPage>;
  '/organization-log': Call<typeof logStatusRequest, LogStatus>;
  // Inbox
  '/inbox': Call<typeof inboxRequest, InboxAnswer>;
  '/notice-choice': Call<typeof noticeChoiceRequest, NoticeChoiceAnswer>;
  '/organization-roll-out': Call<typeof rollOutRequest, RollOutAnswer>;
  // Outgoing webhooks
  '/organization-hooks': Call<typeof outgoingWebhooksRequest, OutgoingWebhooksAnswer>;
  '/set-hook': Call<typeof outgoingWebhookChange, OutgoingWebhookChangeAnswer>;
  '/remove-hook': Call<typeof outgoingWebhookRequest, 'ok'>;
  '/test-hook': Call<typeof outgoingWebhookRequest, OutgoingWebhookTestAnswer>;
};

export type CallPath = keyof Calls;
export type BodyOf<Path extends CallPath> = Calls[Path]['body'];
export type AnswerOf<Path extends CallPath> = Calls[Path]['answer'];
