import { describe, expect, it } from '@jest/globals';
import { agentWork } from '../../../src/policies/agent-work.ts';
import { agentsOf, type Hand } from '../../../src/policies/agents.ts';
import type { Contributor, PullCommits } from '../../../src/policies/details.ts';
import { readTrailers } from '../../../src/policies/trailers.ts';
import { aPolicy, BOT, contributor, MONA } from '../../support/policies.ts';

const NOREPLY = '71+octo-ci@users.noreply.github.com';
const agents = agentsOf(aPolicy([], { agents: { logins: ['octo-ai'], emails: ['ci@acme.dev', NOREPLY] } }));
const COPILOT = contributor('Copilot', 198_982_749, true);
const OWN = contributor('Octo-AI', 70);

/** A commit of Mona's, with these trailers, and other hands that wrote it. */
const commit = (lines: string[] = [], ...by: Hand[]) => ({
  by: [{ login: 'mona' }, { name: 'Mona', email: 'mona@example.org' }, ...by],
  ...readTrailers(`Fix it\n\n${lines.join('\n')}\n`),
});
type Change = {
  author?: Contributor | null;
  commits?: PullCommits['commits'];
  approvers?: Contributor[];
  isComplete?: boolean;
  areAllKnown?: boolean;
};
function workOf(
  { author = MONA, approvers = [], isComplete = true, areAllKnown = true, ...change }: Change,
  githubUrl = 'https://github.com',
) {
  const all = { people: [], areAllKnown: true, areAllVerified: true, isComplete };
  const commits = { ...all, commits: change.commits ?? [commit()] };
  const about = { author, commits, approvers: { people: approvers, areAllKnown } };
  return agentWork(about, { agents, githubUrl });
}
const CLAUDE = commit(['Co-authored-by: Claude Opus <noreply@anthropic.com>']);

describe('an agent is seen', () => {
  it.each<[string, Change, string]>([
    ['as the author', { author: COPILOT }, 'Copilot opened it'],
    [
      'by its address',
      { commits: [commit([], { email: 'NoReply@anthropic.com' })] },
      'Claude wrote its only commit',
    ],
    [
      'by its login',
      { commits: [commit([], { login: 'Devin-AI-integration[bot]' })] },
      'Devin wrote its only commit',
    ],
    [
      'by GitHub’s address of its account',
      {
        commits: [
          commit(),
          commit([], { name: 'x', email: '209825114+claude[bot]@users.noreply.github.com' }),
        ],
      },
      'Claude wrote 1 of 2 commits',
    ],
    [
      'in a trailer',
      { commits: [CLAUDE, commit(), CLAUDE, commit(), CLAUDE] },
      'Claude wrote 3 of 5 commits',
    ],
    [
      'in a trailer without an address, by its name',
      { commits: [commit(['Assisted-by: Codex:gpt']), commit()] },
      'Codex wrote 1 of 2 commits',
    ],
    [
      'by GitHub’s address of it that the policy names',
      { commits: [commit([], { name: 'x', email: NOREPLY })] },
      `${NOREPLY} wrote its only commit`,
    ],
    [
      'in a trailer with its login alone',
      {
        commits: [
          commit(['Assisted-by: octo-ai:gpt']),
          commit(['Co-authored-by: chatgpt-codex-connector[bot]']),
        ],
      },
      'Codex wrote 1 of 2 commits; octo-ai wrote 1 of 2 commits',
    ],
    ['as a reviewer', { approvers: [MONA, COPILOT] }, 'Copilot approved it in a review'],
    ['by the login that the policy names', { author: OWN, commits: [] }, 'octo-ai opened it'],
    [
      'as the App of a login that the policy names',
      { author: contributor('octo-ai[bot]', 71, true), commits: [] },
      'octo-ai opened it',
    ],
    [
      'by the address that the policy names',
      { commits: [commit(['assisted-by: x <CI@acme.dev>']), commit()] },
      'ci@acme.dev wrote 1 of 2 commits',
    ],
    [
      'with others, of whom a line names three',
      {
        author: COPILOT,
        approvers: [OWN, COPILOT],
        commits: [
          CLAUDE,
          commit(['Assisted-by: Cursor', 'Assisted-by: Codex']),
          commit([], { login: 'copilot' }),
        ],
      },
      'Claude wrote 1 of 3 commits; Copilot opened it, wrote 1 of 3 commits and approved it in a review; ' +
        'Codex wrote 1 of 3 commits; 2 more agents had a hand in it',
    ],
    ['in a part of the commits', { commits: [CLAUDE], isComplete: false }, 'Claude wrote at least 1 commit'],
  ])('%s', (_where, change, line) => {
    expect(workOf(change)).toEqual({ hasHand: 'yes', line });
  });
});

it('sees github.com’s address of an agent on another GitHub', () => {
  const commits = [commit(['Co-authored-by: x <209825114+claude[bot]@users.noreply.github.com>'])];
  expect(workOf({ commits }, 'https://github.acme.test').line).toBe('Claude wrote its only commit');
});

it.each<[string, Change]>([
  [
    'a dependency update',
    { author: BOT, commits: [commit(['Signed-off-by: dependabot[bot] <support@github.com>'])] },
  ],
  [
    'a person with an agent’s name',
    { commits: [commit([], { name: 'Claude', email: 'claude@example.org' })] },
  ],
  [
    'an account with an agent’s name',
    { author: contributor('claude', 5), approvers: [contributor('devin', 6)] },
  ],
  ['another trailer', { commits: [commit(['Reviewed-by: Claude <noreply@anthropic.com>'])] }],
])('no agent is seen in %s', (_what, change) => {
  expect(workOf(change)).toEqual({ hasHand: 'no', line: null });
});

it.each<[string, Change, string]>([
  ['the author no longer exists', { author: null }, 'who opened it'],
  ['commits aren’t listed', { isComplete: false }, 'who wrote each commit'],
  [
    'a commit has too many trailers',
    { commits: [{ ...commit(), isComplete: false }] },
    'who wrote each commit',
  ],
  [
    'reviews aren’t listed',
    { areAllKnown: false, author: null },
    'who opened it or who approved it in a review',
  ],
])('an agent may have had a hand if %s', (_why, change, who) => {
  const line = `An agent may have had a hand in it: OTP Guard doesn't know ${who}`;
  expect(workOf(change)).toEqual({ hasHand: 'maybe', line });
});
