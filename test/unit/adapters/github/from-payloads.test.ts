import { expect, it } from '@jest/globals';
import { enterpriseVersionIn, isOlderThanChecked } from '../../../../src/adapters/github/app-registration.ts';
import {
  type GitHubPullRequest,
  toPullRequest,
} from '../../../../src/adapters/github/pull-request-payload.ts';
import { githubFixture } from '../../../support/fixtures.ts';

const raw = githubFixture('pull-request') as GitHubPullRequest;
const bot = { id: 7, login: 'dependabot[bot]', avatar_url: '', type: 'Bot' };
const merger = { id: 12, login: 'octocat', node_id: 'x' };

it.each<[string, Partial<GitHubPullRequest>, object]>([
  ['is open while GitHub says so', { state: 'open' }, { open: true }],
  ['is not open once it is closed', { state: 'closed' }, { open: false }],
  ['was merged if GitHub says so', { merged: true }, { merged: true }],
  ['was merged if it has a time', { merged: undefined, merged_at: '2026-05-04' }, { merged: true }],
  ['was not merged without either', { merged: undefined, merged_at: null }, { merged: false }],
  ['names who merged it, for the log', { merged_by: merger }, { mergedBy: { id: 12, login: 'octocat' } }],
  [
    'names the commit that it was merged as',
    { merged_by: merger, merge_commit_sha: 'c0ffee' },
    { mergeCommit: 'c0ffee' },
  ],
  [
    'has no such commit before: GitHub shows a trial merge',
    { merged_by: null, merge_commit_sha: 'c0ffee' },
    { mergeCommit: null },
  ],
  ['has an author who is a machine', { user: bot }, { author: { id: 7, isMachine: true } }],
  ['has no author if the account is gone', { user: { ...bot, login: 'ghost' } }, { author: null }],
  ['names nobody if nobody merged it', { merged_by: null }, { mergedBy: null }],
] as [string, Partial<GitHubPullRequest>, object][])('a pull request %s', (_what, change, expected) => {
  expect(toPullRequest({ ...raw, ...change })).toMatchObject(expected);
});

it.each([
  [{}, null],
  [{ 'x-github-enterprise-version': '3.19.2' }, '3.19.2'],
  [{ 'x-github-enterprise-version': '3.23.0.rc1' }, '3.23.0.rc1'],
  [{ 'x-github-enterprise-version': '<script>' }, null],
])('finds in %j the version %s', (headers, version) => expect(enterpriseVersionIn(headers)).toBe(version));

it.each([
  ['2.22.1', true],
  ['3.9.10', true],
  ['3.16.9', true],
  ['3.17.0', false],
  ['3.22.1', false],
  ['4.0.0', false],
])('knows whether %s is older than what was compared: %s', (version, isOlder) =>
  expect(isOlderThanChecked(version)).toBe(isOlder),
);
