import { z } from 'zod';
import {
  type ApprovalAnswer,
  type ApprovalParamsAnswer,
  approvalTarget,
  type ShownDenial,
} from './approvals.ts';
import { oneTimeCode } from './authenticators.ts';
import { reasonText } from './denials.ts';
import { accessToken, authenticationResponse, githubId, objectOf, textLike } from './fields.ts';
import type { DeployStatement, RejectStatement } from './statement.ts';

/** The name of an environment; GitHub's have at most 255 characters. */
const environmentName = textLike(/^\P{Cc}{1,255}$/u, 'missing environment');

const { installation, owner, ownerID, repo } = approvalTarget.shape;

const NO_ATTEMPT = 'missing attempt';

/** One environment that a workflow run waits at. The first member that is missing or malformed decides the error. */
const target = {
  ...{ installation, owner, ownerID, repo },
  run: githubId('missing run'),
  environment: environmentName,
  /** The attempt of the run that the person saw. Another one is refused. */
  attempt: githubId(NO_ATTEMPT).optional(),
};

const deploymentTarget = z.object(target);
export type DeploymentTarget = z.infer<typeof deploymentTarget>;

const WHAT = 'Choose approve or reject.';
const NO_REASON = 'Say why you reject it, in up to 500 characters.';

const decision = {
  decision: z.enum(['approve', 'reject'], { error: WHAT }).default('approve'),
  /** Why it's rejected. */
  reason: reasonText.optional(),
};
const hasReason = (given: { decision: string; reason?: string | undefined }) =>
  given.decision === 'approve' || given.reason !== undefined;

/** `POST /deploy-params` */
export const deployParams = z
  .object({
    ...target,
    ...decision,
    type: z.string().max(32).optional(),
    accessToken: accessToken.optional(),
  })
  .refine(hasReason, { error: NO_REASON });

/**
 * `POST /deploy-check`: with an assertion over the statement, or with a one-time code. A code signs nothing, so it needs the
 * attempt.
 */
export const deployCheck = z
  .object({
    params: objectOf(z.object(target, { error: 'missing installation' })),
    ...decision,
    authResponse: authenticationResponse('missing authenticator').optional(),
    otp: oneTimeCode('Enter the 6 digits that your app shows.').optional(),
    accessToken: accessToken.optional(),
  })
  .refine(hasReason, { error: NO_REASON })
  .refine(({ authResponse, otp }) => (authResponse === undefined) !== (otp === undefined), {
    error: 'missing authenticator',
  })
  .refine(({ params, otp }) => otp === undefined || params.attempt !== undefined, { error: NO_ATTEMPT });

/**
 * What became of a request of GitHub: `waiting` for people, `approved` or `rejected` by them, `bypassed` by an administrator,
 * `refused` because it isn't what it says, `ended` because the run no longer waits for OTP Guard, `expired` after 30 days.
 */
export type DeploymentState =
  | 'waiting'
  | 'approved'
  | 'rejected'
  | 'bypassed'
  | 'refused'
  | 'ended'
  | 'expired';

/** A deployment as its page shows it next to the statement: no signature covers this. */
export type ShownDeployment = {
  state: DeploymentState;
  /** The run's page on GitHub, and the commit's. */
  url: string;
  commitUrl: string;
  /** The name that GitHub shows for the run: the workflow's author chose it. */
  title: string;
  /** The account that started this attempt; null if it no longer exists. */
  startedBy: { login: string; avatarUrl: string } | null;
  /** The time of GitHub's request (RFC 3339). */
  since: string;
  /** The pull request that brought the commit in, and the logins of those who approved its head; null if there's none. */
  pull: { number: number; title: string; author: string | null; url: string; approvedBy: string[] } | null;
  /** The changes since the last successful deployment to this environment, on GitHub; null if there was none. */
  changesUrl: string | null;
  /** The decisions in force, oldest first. */
  decisions: ShownDecision[];
};

export type ShownDecision = Omit<ShownDenial, 'id' | 'avatarUrl'> & { decision: 'approve' | 'reject' };

/**
 * As for an approval, about the deployment: the rules that apply to it, whether it passes by them now, what it still needs, and
 * why the person's decision would count for nothing. With `type: "totp"`, for a one-time code, the challenge isn't issued
 * and nobody can answer it.
 */
export type DeployParamsAnswer = Pick<
  ApprovalParamsAnswer,
  'challenge' | 'options' | 'rules' | 'passed' | 'needs' | 'refusal'
> & { statement: DeployStatement | RejectStatement; deployment: ShownDeployment };

/** `redirect` is the run's page on GitHub; the rest is as for an approval. A rejection never passes. */
export type DeployAnswer = ApprovalAnswer;
