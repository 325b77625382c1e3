import type {
  ApprovalParamsAnswer,
  PullStory,
  PullSummary,
  ShownDenial,
} from '../../../src/contract/approvals.ts';
import type { Statement } from '../../../src/contract/statement.ts';
import { hashOf, type OnScreen } from '../../../web/src/lib/signing/check-statement.ts';

export const statement: Statement = {
  v: 1,
  purpose: 'approve',
  host: 'https://guard.example.org',
  user: { id: 583231, login: 'octocat' },
  org: { id: 9919, login: 'octo-org' },
  repo: { id: 1296269, name: 'octo-org/hello' },
  pr: 7,
  base: 'main',
  head: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  nonce: 'bm9uY2Utbm9uY2Utbm9uYw',
  iat: 1795217206,
};

export const screen: OnScreen = {
  host: 'https://guard.example.org',
  user: { login: 'octocat', githubId: 583231 },
  orgId: 9919,
  repo: 'octo-org/hello',
  repoId: 1296269,
  pr: 7,
  head: statement.head,
};

export const target = {
  installation: '42',
  owner: 'octo-org',
  ownerID: '9919',
  repo: 'hello',
  pr: '7',
  head: statement.head,
};

/** Where the server says that the pull request is. */
export const present = { ...target, installation: 42, ownerID: 9919, repoID: 1296269, pr: 7 };

export const pull: PullSummary = {
  title: 'Add a greeting',
  author: null,
  url: 'https://github.com/octo-org/hello/pull/7',
  changesUrl: 'https://github.com/octo-org/hello/pull/7/files',
  headBranch: 'feature',
  approvedBefore: null,
  size: null,
};

/** Nobody approved yet. */
export const story: PullStory = {
  opened: { by: { login: 'mona', avatarUrl: '' }, at: '2026-11-21T08:00:00Z' },
  ...{ head: statement.head, base: 'main', approvals: [], denials: [] },
};

/** Another person's. */
export const aDenial: ShownDenial = {
  ...{ id: 'd', login: 'mona', avatarUrl: '', method: 'passkey', at: '2026-11-21T09:00:00Z' },
  ...{ reason: '<b>drops</b> a table', isYours: false },
};

/** An answer to the approval page's first call, with the challenge of its statement. */
export async function anAnswer(change: Partial<ApprovalParamsAnswer> = {}): Promise<ApprovalParamsAnswer> {
  const challenge = await hashOf(change.statement ?? statement);
  return {
    ...{ challenge, options: { challenge }, statement, pull, story, target: present, files: null },
    ...{ yourApproval: null, passed: false, needs: null, rules: [], agents: null, refusal: null },
    ...{ denials: [], maySetAside: false, ...change },
  };
}
