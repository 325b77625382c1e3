/** Something that we assume about GitHub, and what rests on it. */
export type Assumption = {
  id: AssumptionId;
  /** One sentence. */
  text: string;
  /** What `otp-guard acceptance` has to see, in a few words. */
  assumed: string;
  /** GitHub's own page; null if GitHub doesn't document it. */
  source: { title: string; url: string } | null;
  code: readonly string[];
};

export type AssumptionId = (typeof ASSUMPTION_IDS)[number];

const ASSUMPTION_IDS = [
  'newest-run-counts',
  'pending-takes-back',
  'answer-shows-state',
  'rerun-webhook',
  'cancelled-is-known',
  'selectable-on-page',
  'list-lag',
  'webhook-lag',
  'merge-group-webhook',
  'rename-keeps-details',
  'reinstallation-details',
  'one-suite',
  'latest-is-newest',
  'query-without-contents',
  'files-name-head',
  'tip-has-suite',
  'made-suite-is-listed',
  'long-run-ids',
  'details-url',
  'sender-pushed',
  'sign-in-after-sso',
] as const;

const DOCS = 'https://docs.github.com/en';

/** `docs/assumptions.md` shows this list, and a test compares the two. */
export const ASSUMPTIONS: readonly Assumption[] = [
  {
    id: 'newest-run-counts',
    text: 'Of several check runs of one name, a rule counts the newest, also if an older one completes after it.',
    assumed: 'the merge is refused',
    source: null,
    code: ['src/approvals/check-run/write.ts', 'src/github/check-runs.ts'],
  },
  {
    id: 'pending-takes-back',
    text: 'A newer run that is in progress takes back the success of an older one.',
    assumed: 'the merge is refused',
    source: null,
    code: ['src/approvals/check-run/write.ts', 'src/approvals/withdraw/withdraw-approval.ts'],
  },
  {
    id: 'answer-shows-state',
    text: 'GitHub may reopen a completed run or keep it completed, and its answer says which.',
    assumed: 'the answer is true',
    source: null,
    code: ['src/github/check-runs.ts', 'src/approvals/check-run/write.ts'],
  },
  {
    id: 'rerun-webhook',
    text: 'A re-run sends the App a `check_run` webhook, `rerequested`, with the commit.',
    assumed: 'the webhook comes',
    source: {
      title: 'REST API endpoints for check runs, “Rerequest a check run”',
      url: `${DOCS}/rest/checks/runs#rerequest-a-check-run`,
    },
    code: ['src/bot/check-run.ts', 'src/bot/rerun.ts'],
  },
  {
    id: 'cancelled-is-known',
    text: 'A run that completed as cancelled is enough for a rule to know the check as the App’s.',
    assumed: 'bound to this App',
    source: {
      title: 'REST API endpoints for protected branches, “Update branch protection”, `contexts`',
      url: `${DOCS}/rest/branches/branch-protection#update-branch-protection`,
    },
    code: ['src/approvals/check-run/make-check-selectable.ts', 'src/approvals/check-run/texts.ts'],
  },
  {
    id: 'selectable-on-page',
    text: 'The same run makes the check selectable on GitHub’s page for rules.',
    assumed: 'selectable',
    source: {
      title: 'Troubleshooting required status checks, which says “completed successfully”',
      url: `${DOCS}/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/troubleshooting-required-status-checks`,
    },
    code: ['src/approvals/check-run/make-check-selectable.ts', 'src/approvals/check-run/texts.ts'],
  },
  {
    id: 'list-lag',
    text: 'The list of open pull requests has a new one within 30 seconds.',
    assumed: 'within 30 seconds',
    source: null,
    code: [
      'src/approvals/check-run/head.ts',
      'src/github/pull-requests.ts',
      'src/approvals/reconcile/reconcile.ts',
    ],
  },
  {
    id: 'webhook-lag',
    text: 'The webhook of a new pull request is sent within 30 seconds.',
    assumed: 'within 30 seconds',
    source: null,
    code: ['src/bot/pull-request.ts', 'src/approvals/reconcile/reconcile.ts'],
  },
  {
    id: 'merge-group-webhook',
    text: 'A merge group comes as `merge_group`, `checks_requested`, and its ref names the pull request and the commit below.',
    assumed: 'the ref has this form',
    source: {
      title: 'Webhook events and payloads, `merge_group`, without the form of the ref',
      url: `${DOCS}/webhooks/webhook-events-and-payloads#merge_group`,
    },
    code: ['src/bot/merge-group.ts', 'src/approvals/merge-queue/merge-group.ts'],
  },
  {
    id: 'rename-keeps-details',
    text: 'After a rename, runs keep the address of _Details_, and requests to the former name still reach the repository.',
    assumed: 'kept, and reached',
    source: {
      title: 'Best practices for using the REST API, “Follow redirects”',
      url: `${DOCS}/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects`,
    },
    code: ['src/links.ts', 'src/github/fetch.ts', 'src/approvals/approve/find-moved-targets.ts'],
  },
  {
    id: 'reinstallation-details',
    text: 'After the App was installed again, under a new id, runs of before keep the address of _Details_.',
    assumed: 'kept',
    source: null,
    code: ['src/links.ts', 'src/approvals/approve/find-moved-targets.ts'],
  },
  {
    id: 'one-suite',
    text: 'All runs of the App on a commit are in one check suite, also if several branches have that commit.',
    assumed: 'one suite',
    source: null,
    code: ['src/github/check-runs.ts', 'src/github/open-heads.ts'],
  },
  {
    id: 'latest-is-newest',
    text: 'Of several runs of one name, the list with `filter=latest` begins with the one with the highest id.',
    assumed: 'the newest',
    source: {
      title: 'REST API endpoints for check runs, “List check runs for a Git reference”, without the order',
      url: `${DOCS}/rest/checks/runs#list-check-runs-for-a-git-reference`,
    },
    code: ['src/github/check-runs.ts'],
  },
  {
    id: 'query-without-contents',
    text: 'The query for open pull requests and their runs needs no permission to read code.',
    assumed: 'shown',
    source: null,
    code: ['src/github/open-heads-query.ts'],
  },
  {
    id: 'files-name-head',
    text: 'The `contents_url` of each changed file names the head at which GitHub listed it.',
    assumed: 'the head',
    source: null,
    code: ['src/github/pull-changes-payload.ts', 'src/github/pull-changes.ts'],
  },
  {
    id: 'tip-has-suite',
    text: 'The tip of a branch has a check suite of the App if it was pushed since the App was installed.',
    assumed: 'a suite',
    source: {
      title: 'REST API endpoints for check suites',
      url: `${DOCS}/rest/checks/suites`,
    },
    code: ['src/github/branches.ts', 'src/approvals/check-run/make-check-selectable.ts'],
  },
  {
    id: 'made-suite-is-listed',
    text: 'A suite that the App makes for a branch’s tip, a merge group’s `base_sha`, is in the list of `refs/heads/<branch>`.',
    assumed: 'listed',
    source: null,
    code: ['src/github/branches.ts', 'src/approvals/merge-queue/judge-merge-group.ts'],
  },
  {
    id: 'long-run-ids',
    text: 'A run whose id has more than 32 bits has no `databaseId` in a query, and its `resourcePath` ends with the id.',
    assumed: 'named by its path',
    source: null,
    code: ['src/github/open-heads.ts'],
  },
  {
    id: 'details-url',
    text: '_Details_ of a check leads to the `details_url` of its run.',
    assumed: 'our page',
    source: {
      title: 'REST API endpoints for check runs, “Create a check run”, `details_url`',
      url: `${DOCS}/rest/checks/runs#create-a-check-run`,
    },
    code: ['src/links.ts', 'src/approvals/check-run/head-content.ts'],
  },
  {
    id: 'sender-pushed',
    text: 'The sender of a `synchronize` webhook is the account that pushed.',
    assumed: 'the one that pushed',
    source: {
      title: 'Webhook events and payloads, `pull_request`, `synchronize`',
      url: `${DOCS}/webhooks/webhook-events-and-payloads#pull_request`,
    },
    code: ['src/bot/pull-request.ts', 'src/policies/excluded.ts'],
  },
  {
    id: 'sign-in-after-sso',
    text: 'After single sign-on, signing in to OTP Guard again is enough for GitHub to show the organization to the person’s token.',
    assumed: 'shown',
    source: {
      title: 'About authentication with single sign-on, which says to revoke the authorization first',
      url: `${DOCS}/enterprise-cloud@latest/authentication/authenticating-with-single-sign-on/about-authentication-with-single-sign-on`,
    },
    code: ['src/organizations/memberships-at-sign-in.ts', 'src/github/user-tokens.ts'],
  },
];
