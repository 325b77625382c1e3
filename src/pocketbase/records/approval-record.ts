import type { Approval } from '../../approvals/ports.ts';
import type { RepositoryRef } from '../../organizations/ports.ts';

export type ApprovalRecord = {
  id: string;
  org_id: number;
  repo_id: number;
  pr: number;
  base: string;
  head: string;
  user_id: number;
  login: string;
  installation_id: number;
  repo_name: string;
  method: Approval['method'];
  user_verified: boolean;
  reported: string;
  withdrawn: string;
  withdrawal_unreported: boolean;
  created: string;
};

/** The repository's names at the time of the approval. */
export function toRepository({ installation_id, repo_name }: ApprovalRecord): RepositoryRef {
  const [owner = '', name = ''] = repo_name.split('/');
  return { installation: installation_id, owner, name };
}

export function toApproval(record: ApprovalRecord): Approval {
  return {
    id: record.id,
    orgId: record.org_id,
    repoId: record.repo_id,
    pr: record.pr,
    base: record.base,
    head: record.head,
    githubId: record.user_id,
    login: record.login,
    method: record.method,
    userVerified: record.user_verified,
    at: new Date(record.created),
    reported: record.reported !== '',
  };
}
