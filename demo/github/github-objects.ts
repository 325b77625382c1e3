/** GitHub's objects, with the fields that the local GitHub reads; each has more. */
export type Account = { login: string; id: number; type?: string };
/** The permissions of an App, and the events that it receives. */
export type AppAccess = { permissions: Record<string, string>; events: string[] };
/** An App that isn't ours, such as GitHub Actions. */
export type OtherApp = AppAccess & { id: number; slug: string; name: string };
export type Repository = {
  id: number;
  name: string;
  full_name: string;
  private: boolean;
  default_branch: string;
  url: string;
  description: string | null;
  owner: Account;
};
export type Pull = {
  id: number;
  number: number;
  title: string;
  body: string | null;
  state: string;
  draft: boolean;
  merged: boolean;
  merge_commit_sha: string | null;
  url: string;
  html_url: string;
  user: Account | null;
  assignee: Account | null;
  assignees: Account[];
  head: { ref: string; sha: string; repo: Repository | null };
  base: { ref: string; sha: string; repo: Repository };
};
export type CheckRun = {
  id: number;
  url: string;
  name: string;
  head_sha: string;
  status: string;
  conclusion: string | null;
  details_url: string | null;
  output: { title: string | null; summary: string | null };
  check_suite: CheckSuite | null;
  app: { id: number } | null;
  pull_requests: unknown[];
};
export type CheckSuite = Record<string, unknown> & {
  id: number;
  head_sha: string;
  status: string;
  url: string;
};
export type ChangedFile = {
  filename: string;
  status: string;
  additions: number;
  deletions: number;
  patch?: string;
};
export type Installation = AppAccess & {
  id: number;
  account: Account;
  app_slug: string;
  repository_selection: string;
  suspended_at: string | null;
  suspended_by: unknown;
};
export type Membership = { state: string; role: string; user: Account; organization: Account };
/** Repository ids by former name, in lower case. */
export type FormerNames = Map<string, number>;
