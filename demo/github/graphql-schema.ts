import { buildSchema } from 'graphql';

/** The part of GitHub's GraphQL schema that the product queries (docs.github.com, "Public schema"). */
export const graphqlSchema = buildSchema(`
  scalar DateTime
  scalar GitObjectID
  scalar URI
  enum PullRequestState { CLOSED MERGED OPEN }
  enum IssueOrderField { COMMENTS CREATED_AT UPDATED_AT }
  enum OrderDirection { ASC DESC }
  enum CheckRunType { ALL LATEST }
  enum CheckStatusState { COMPLETED IN_PROGRESS PENDING QUEUED REQUESTED WAITING }
  enum CheckConclusionState {
    ACTION_REQUIRED CANCELLED FAILURE NEUTRAL SKIPPED STALE STARTUP_FAILURE SUCCESS TIMED_OUT
  }
  input IssueOrder { direction: OrderDirection!, field: IssueOrderField! }
  input CheckSuiteFilter { appId: Int, checkName: String }
  input CheckRunFilter { appId: Int, checkName: String, checkType: CheckRunType }
  interface Actor { avatarUrl: URI!, login: String! }
  interface RepositoryOwner { login: String! }
  type User implements Actor & RepositoryOwner { avatarUrl: URI!, databaseId: Int, login: String! }
  type Bot implements Actor { avatarUrl: URI!, databaseId: Int, login: String! }
  type Organization implements RepositoryOwner { databaseId: Int, login: String! }
  type PageInfo { endCursor: String, hasNextPage: Boolean! }
  type CheckRun {
    databaseId: Int
    resourcePath: URI!
    status: CheckStatusState!
    conclusion: CheckConclusionState
  }
  type CheckRunConnection { nodes: [CheckRun] }
  type CheckSuite { checkRuns(first: Int, filterBy: CheckRunFilter): CheckRunConnection }
  type CheckSuiteConnection { nodes: [CheckSuite] }
  type Commit { oid: GitObjectID!, checkSuites(first: Int, filterBy: CheckSuiteFilter): CheckSuiteConnection }
  type PullRequestCommit { commit: Commit! }
  type PullRequestCommitConnection { nodes: [PullRequestCommit] }
  type Mannequin implements Actor { avatarUrl: URI!, databaseId: Int, login: String! }
  type Team { slug: String! }
  union RequestedReviewer = Bot | Mannequin | Team | User
  type ReviewRequest { requestedReviewer: RequestedReviewer }
  type ReviewRequestConnection { nodes: [ReviewRequest], totalCount: Int! }
  type PullRequest {
    author: Actor
    baseRefName: String!
    baseRefOid: GitObjectID!
    commits(last: Int): PullRequestCommitConnection!
    createdAt: DateTime!
    headRefOid: GitObjectID!
    number: Int!
    reviewRequests(first: Int): ReviewRequestConnection
    title: String!
    updatedAt: DateTime!
  }
  type PullRequestConnection { nodes: [PullRequest], pageInfo: PageInfo! }
  type Repository {
    databaseId: Int
    name: String!
    owner: RepositoryOwner!
    pullRequests(after: String, first: Int, orderBy: IssueOrder, states: [PullRequestState!]): PullRequestConnection!
  }
  type Query { repository(name: String!, owner: String!): Repository }
`);
