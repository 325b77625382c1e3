import { approvalOptions } from '../../approvals/approve/approval-options.ts';
import { approve, approveBatch } from '../../approvals/approve/approve.ts';
import { batchTargets } from '../../approvals/approve/batch.ts';
import { batchOptions } from '../../approvals/approve/batch-options.ts';
import type { ApprovalCallDeps } from '../../approvals/approve/deps.ts';
import { describeHead } from '../../approvals/approve/describe-head.ts';
import { deny, denyOptions } from '../../approvals/deny/deny.ts';
import { setAsideDenial } from '../../approvals/deny/set-aside-denial.ts';
import { withdrawApproval } from '../../approvals/withdraw/withdraw-approval.ts';
import {
  approvalParams,
  batchApproval,
  batchParams,
  headRequest,
  webauthnApproval,
} from '../../contract/approvals.ts';
import { totpApproval } from '../../contract/authenticators.ts';
import { denial, denyParams, setAsideRequest } from '../../contract/denials.ts';
import {
  aboutOrg,
  aboutPull,
  assertionIn,
  callsOf,
  forPerson,
  forReader,
  forSession,
  proofIn,
  type RoomCall,
} from './call.ts';

const approving: RoomCall<ApprovalCallDeps>[] = [
  forReader(
    '/github-check-webauthn-params',
    'approval',
    aboutPull,
    approvalParams,
    (deps, { session, type, files, ...target }) =>
      approvalOptions(deps, { person: session, target, method: type, files }),
  ),
  forPerson(
    '/github-check-webauthn',
    'approval',
    ({ params }) => aboutPull(params),
    webauthnApproval,
    (deps, { person, params: target, ...body }) =>
      approve(deps, { person, target, proof: { response: assertionIn(body) } }),
  ),
  forPerson(
    '/github-totp-check',
    'approval',
    aboutPull,
    totpApproval,
    (deps, { person, base, otp: code, ...target }) =>
      approve(deps, { person, target, proof: { code, base } }),
  ),
  forReader(
    '/approve-batch-params',
    'approval',
    ({ orgID, items }) => ({ orgID, targets: items }),
    batchParams,
    (deps, { session, orgID, items, files }) =>
      batchOptions(deps, { person: session, orgID, targets: items, files }),
  ),
  forPerson(
    '/approve-batch',
    'approval',
    aboutOrg,
    batchApproval,
    (deps, { person, orgID, ...body }) => approveBatch(deps, { person, orgID, response: assertionIn(body) }),
    {
      storedTargets: (deps, { userId }, { orgID, ...body }) =>
        batchTargets(deps, { userId, orgID, response: assertionIn(body) }),
    },
  ),
  forReader(
    '/deny-params',
    'approval',
    aboutPull,
    denyParams,
    (deps, { session, type, reason, files: _, ...target }) =>
      denyOptions(deps, { person: session, target, reason, method: type }),
  ),
  forPerson(
    '/deny',
    'approval',
    ({ params }) => aboutPull(params),
    denial,
    (deps, { person, params: target, reason, ...body }) =>
      deny(deps, { person, target, reason, proof: proofIn(body) }),
  ),
];

const others: RoomCall<ApprovalCallDeps>[] = [
  forPerson(
    '/github-withdraw-approval',
    'revocation',
    aboutPull,
    headRequest,
    (deps, { person, ...target }) => withdrawApproval(deps, { person, target }),
  ),
  forPerson(
    '/set-aside-denial',
    'approval',
    aboutOrg,
    setAsideRequest,
    (deps, { denial: denialID, ...body }) => setAsideDenial(deps, { ...body, denialID }),
  ),
  forSession('/pull-changes', 'changes', aboutPull, headRequest, async (deps, body, prove) => {
    const { session: _, accessToken = '', ...target } = body;
    await prove(accessToken);
    return describeHead(deps, { accessToken, target });
  }),
];

export const approvalCalls = (deps: ApprovalCallDeps) => [
  ...callsOf(approving, { delaysWebhooks: true })(deps),
  ...callsOf(others)(deps),
];
