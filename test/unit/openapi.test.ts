import { describe, expect, test } from '@jest/globals';
import { checkGitHubRequest, type GitHubRequest } from '../support/github-openapi.ts';

const run = {
  name: 'OTP Guard',
  head_sha: '34c5c7793cb3b279e22454cb6750c80560547b3a',
  status: 'in_progress',
  started_at: '2026-01-01T00:00:00Z',
  details_url: 'https://otp-guard.example/collect',
  external_id: '186853002:34c5c77',
  output: { title: 'Waiting for a person', summary: 'Approve it.' },
};

const repo = '/repos/Codertocat/Hello-World';
const create = (body: unknown): GitHubRequest => ({ method: 'POST', url: `${repo}/check-runs`, body });
const update = (body: unknown): GitHubRequest => ({
  method: 'PATCH',
  url: `${repo}/check-runs/128620228`,
  body,
});
const get = (url: string): GitHubRequest => ({ method: 'GET', url });

describe('a request that GitHub describes', () => {
  test.each<GitHubRequest>([
    get('/app'),
    get('/app/installations?per_page=100&page=2&since=2026-01-01T00:00:00Z'),
    get('/app/installations/2'),
    { method: 'POST', url: '/app/installations/2/access_tokens' },
    {
      method: 'POST',
      url: '/app/installations/2/access_tokens',
      body: { repository_ids: [186853002], permissions: { checks: 'write', pull_requests: 'read' } },
    },
    get('/installation/repositories?per_page=100'),
    get(`${repo}/pulls?state=open&head=Codertocat%3Achanges&base=main&per_page=100`),
    get(`${repo}/pulls/2`),
    create(run),
    create({ ...run, status: 'completed', conclusion: 'success', completed_at: '2026-01-01T00:01:00Z' }),
    update({ status: 'completed', conclusion: 'success', output: { summary: 'Approved.' } }),
    update({ status: 'in_progress' }),
    get(`${repo}/commits/${run.head_sha}/check-runs?check_name=OTP%20Guard&filter=latest&app_id=1`),
    get(`${repo}/commits/heads%2Fmain/check-runs`),
    get('/orgs/octo-org/members?role=admin&per_page=100&page=2'),
    get('/orgs/octo-org/memberships/mona'),
    get(`${repo}/collaborators/mona/permission`),
    { method: 'POST', url: '/applications/Iv1.0123456789abcdef/token', body: { access_token: 'gho_1' } },
    get('/user'),
    get('/user/emails'),
    get('/user/installations?per_page=100'),
    get('/user/installations/2/repositories?per_page=100'),
    get('/user/memberships/orgs?state=active'),
    get('/user/21031067'),
  ])('$method $url is fine', (request) => {
    expect(checkGitHubRequest(request)).toEqual([]);
  });
});

describe('a request that GitHub would refuse or misread', () => {
  test.each<[string, GitHubRequest, string]>([
    ['a path that is not there', get(`${repo}/pull/2`), 'unknown path /repos/Codertocat/Hello-World/pull/2'],
    ['a path that goes on', get(`${repo}/pulls/2/`), 'unknown path /repos/Codertocat/Hello-World/pulls/2/'],
    [
      'a method that the path does not have',
      { method: 'PUT', url: `${repo}/check-runs/1` },
      'unknown method PUT /repos/{owner}/{repo}/check-runs/{check_run_id}',
    ],
    [
      'a path parameter of another type',
      get(`${repo}/pulls/two`),
      'path parameter pull_number must be integer',
    ],
    [
      'a path parameter that was undefined',
      get('/orgs/octo-org/memberships/undefined'),
      'missing path parameter username',
    ],
    ['an empty path parameter', get('/orgs//memberships/mona'), 'missing path parameter org'],
    [
      'a query parameter that is not there',
      get(`${repo}/pulls?status=open`),
      'unknown query parameter status',
    ],
    [
      'a query parameter of another type',
      get(`${repo}/pulls?page=last`),
      'query parameter page must be integer',
    ],
    ['a query parameter given twice', get(`${repo}/pulls?page=1&page=2`), 'repeated query parameter page'],
    [
      'a query parameter outside its values',
      get(`${repo}/pulls?state=merged`),
      'query parameter state must be equal to one of the allowed values (open, closed, all)',
    ],
    ['no body where one is required', create(undefined), 'missing body'],
    ['a body where none is expected', { ...get('/app'), body: {} }, 'a body where none is expected'],
    ['a body that is no object', create([run]), 'body must be object'],
    [
      'a body without a required member',
      create({ name: 'OTP Guard' }),
      "body must have required property 'head_sha'",
    ],
    ['a member of another type', create({ ...run, external_id: 7 }), 'body.external_id must be string'],
    [
      'a time that is none',
      create({ ...run, started_at: 'now' }),
      'body.started_at must match format "date-time"',
    ],
    [
      'a status that a new run cannot have',
      create({ ...run, status: 'pending' }),
      'body.status must be equal to one of the allowed values (queued, in_progress, completed)',
    ],
    [
      'an output without a summary',
      create({ ...run, output: { title: 'x' } }),
      "body.output must have required property 'summary'",
    ],
    [
      'a summary that is too long',
      create({ ...run, output: { title: 'x', summary: 'x'.repeat(65_536) } }),
      'body.output.summary must NOT have more than 65535 characters',
    ],
    [
      'a mistyped member',
      create({ ...run, detail_url: 'https://otp-guard.example' }),
      'unknown member body.detail_url',
    ],
    [
      'a mistyped member of the output',
      update({ output: { summary: 'x', body: 'x' } }),
      'unknown member body.output.body',
    ],
    [
      'a mistyped member in a list',
      update({ actions: [{ label: 'x', description: 'x', identifier: 'x', url: 'x' }] }),
      'unknown member body.actions[0].url',
    ],
    [
      'a completed run without a conclusion',
      update({ status: 'completed' }),
      "body must have required property 'conclusion'",
    ],
    [
      'a permission that is none',
      {
        method: 'POST',
        url: '/app/installations/2/access_tokens',
        body: { permissions: { check: 'write' } },
      },
      'unknown member body.permissions.check',
    ],
    [
      'a token check without a token',
      { method: 'POST', url: '/applications/Iv1.0123456789abcdef/token', body: {} },
      "body must have required property 'access_token'",
    ],
  ])('names %s', (_what, request, problem) => {
    expect(checkGitHubRequest(request)).toContain(problem);
  });
});
