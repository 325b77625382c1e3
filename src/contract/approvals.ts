import { z } from 'zod';
import {
  accountLogin,
  authenticationResponse,
  commitSha,
  githubId,
  objectOf,
  repositoryName,
} from './fields.ts';
import type { Statement } from './statement.ts';

/** Which commit of which pull request; the order of the members is the order of the refusals. */
const target = {
  installation: githubId('missing installation'),
  owner: accountLogin('missing org'),
  ownerID: githubId('missing organization id'),
  repo: repositoryName('missing repo'),
  pr: githubId('missing pr'),
  head: commitSha('missing head'),
};

/** `POST /github-check-webauthn-params` */
export const approvalParams = z.object({
  ...target,
  type: z.string().max(32).optional(),
  accessToken: z.string().max(512).optional(),
});

/** `POST /github-check-webauthn` */
export const webauthnApproval = z.object({
  params: objectOf(z.object(target, { error: 'missing installation' })),
  authResponse: authenticationResponse('missing authenticator'),
  accessToken: z.string().max(512).optional(),
});

export type ApprovalTarget = z.infer<typeof approvalTarget>;
export const approvalTarget = z.object(target);

/** What the approval page shows beside the statement; hints for the eye, nothing signs them. */
export type PullSummary = {
  title: string;
  /** Who opened the pull request; null where GitHub knows the account no more. */
  author: { login: string; avatarUrl: string } | null;
  /** The pull request's page and its page of changes up to the head, on GitHub. */
  url: string;
  changesUrl: string;
  /** The newest earlier head that this pull request was approved for, if there is one. */
  approvedBefore: string | null;
};

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3, section 5.1.10. */
export type RequestOptions = {
  challenge: string;
  timeout?: number;
  rpId?: string;
  allowCredentials?: { id: string; type: 'public-key'; transports?: string[] }[];
  userVerification?: 'required' | 'preferred' | 'discouraged';
};

export type ApprovalParamsAnswer = {
  challenge: string;
  options: RequestOptions;
  statement: Statement;
  pull: PullSummary;
};

/**
 * `redirect` is the pull request's page on GitHub. `reported` is false where
 * the approval is safe but GitHub has not taken the completed check yet.
 */
export type ApprovalAnswer = { redirect: string; reported: boolean };
