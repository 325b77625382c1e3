/**
 * A repository's open pull requests, and the runs of one App on the head of each, if the App may see commits. GitHub shows a
 * pull request's head to its base repository as the last commit, also if it is in a fork. An App can
 * have several check suites on a commit, one for each branch with that commit.
 */
export const OPEN_HEADS = `
  query OpenHeads($owner: String!, $name: String!, $app: Int!, $check: String!, $first: Int!, $after: String) {
    repository(owner: $owner, name: $name) {
      databaseId
      name
      owner { login, ... on Organization { databaseId }, ... on User { databaseId } }
      pullRequests(states: OPEN, first: $first, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
        pageInfo { hasNextPage, endCursor }
        nodes {
          number, title, createdAt, updatedAt, headRefOid, baseRefName, baseRefOid
          author { __typename, login, avatarUrl, ... on User { databaseId }, ... on Bot { databaseId } }
          reviewRequests(first: 20) {
            totalCount
            nodes { requestedReviewer { ... on User { databaseId }, ... on Mannequin { databaseId }, ... on Bot { databaseId }, ... on Team { slug } } }
          }
          commits(last: 1) {
            nodes {
              commit {
                oid
                checkSuites(first: 3, filterBy: { appId: $app, checkName: $check }) {
                  nodes {
                    checkRuns(first: 1, filterBy: { appId: $app, checkName: $check, checkType: LATEST }) {
                      nodes { databaseId, resourcePath, status, conclusion }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }`;

type Nodes<T> = { nodes: (T | null)[] | null };
export type Run = {
  /** Null if the id has more than the 32 bits that this field is declared with. */
  databaseId: number | null;
  /** Such as `/octo-org/hello/runs/42`. */
  resourcePath: string;
  status: string;
  conclusion: string | null;
};
export type Commit = { oid: string; checkSuites: Nodes<{ checkRuns: Nodes<Run> | null }> | null };

/** The fields of the answer; GitHub may leave out what it can't show. */
export type Pull = {
  number: number;
  title: string;
  createdAt: string;
  updatedAt: string;
  headRefOid: string;
  baseRefName: string;
  baseRefOid: string;
  author: { __typename: string; login: string; avatarUrl: string; databaseId?: number | null } | null;
  reviewRequests: (Nodes<{ requestedReviewer: Reviewer | null }> & { totalCount: number }) | null;
  /** Without the permission to read code, GitHub hides commits of private repositories. */
  commits: Nodes<{ commit: Commit }> | null;
};

/** An account of a kind that GitHub adds later has neither. */
type Reviewer = { databaseId?: number | null; slug?: string };

export type Repository = {
  databaseId: number;
  name: string;
  owner: { login: string; databaseId?: number };
  pullRequests: Nodes<Pull> & { pageInfo: { hasNextPage: boolean; endCursor: string | null } };
};

export type Answer = { repository: Repository | null };
