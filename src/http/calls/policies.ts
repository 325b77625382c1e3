import type { PolicyDeps } from '../../approvals/policy/deps.ts';
import { matchPatterns } from '../../approvals/policy/match-patterns.ts';
import { previewCost, previewPolicies } from '../../approvals/policy/preview-policies.ts';
import { setPolicy } from '../../approvals/policy/set-policy.ts';
import { trialCost, tryPolicy } from '../../approvals/policy/try-policy.ts';
import { previewAssurance } from '../../authenticators/count-authenticators.ts';
import { ruleApprovers } from '../../authenticators/rule-approvers.ts';
import {
  assurancePreviewRequest,
  patternTrial,
  policyChange,
  policyPreview,
  policyRequest,
  policyTrial,
  ruleApproversRequest,
} from '../../contract/policy-calls.ts';
import { readPolicy } from '../../policies/policy.ts';
import { aboutOrg, callsOf, forPerson, forSession } from './call.ts';

export const policyCalls = callsOf<PolicyDeps>([
  forSession('/organization-policy', 'organization', aboutOrg, policyRequest, readPolicy),
  forPerson(
    '/github-set-policy',
    'authenticator',
    aboutOrg,
    policyChange,
    (deps, { stepUp, replaces, ...body }) => setPolicy(deps, { ...body, replaces, proof: stepUp }),
  ),
  forPerson('/github-try-policy', 'trial', aboutOrg, policyTrial, tryPolicy, {
    costOf: ({ policy }) => trialCost(policy),
  }),
  forPerson('/github-preview-policies', 'trial', aboutOrg, policyPreview, previewPolicies, {
    costOf: ({ policies }) => previewCost(policies),
  }),
  forPerson(
    '/github-match-patterns',
    'organization',
    aboutOrg,
    patternTrial,
    (deps, { person, orgID, ...lists }) => matchPatterns(deps, { person, orgID, lists }),
  ),
  forPerson('/github-preview-assurance', 'organization', aboutOrg, assurancePreviewRequest, previewAssurance),
  forSession('/rule-approvers', 'local', aboutOrg, ruleApproversRequest, ruleApprovers),
]);
