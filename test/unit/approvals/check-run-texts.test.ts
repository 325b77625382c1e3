import { describe, expect, it } from '@jest/globals';
import { headContent } from '../../../src/approvals/check-run-texts.ts';
import { judge } from '../../../src/approvals/judge.ts';
import type { Approval, PullRequest } from '../../../src/approvals/ports.ts';
import { approvalUrl } from '../../../src/links.ts';
import { anApproval, aPull, HEAD, REPO } from '../../support/fakes.ts';
import { ORIGINS } from './world.ts';

describe('the check run of a head', () => {
  const content = (pulls: PullRequest[], approvals: Approval[] = []) =>
    headContent(ORIGINS, REPO, judge({ head: HEAD, pulls, approvals }));

  it('names the waiting commit, and links to its approval page', () => {
    const link = approvalUrl(ORIGINS, REPO, aPull());
    expect(content([aPull()])).toEqual({
      status: 'in_progress',
      detailsUrl: link,
      title: 'Waiting for an approval',
      summary: expect.stringContaining(
        `Commit \`${HEAD.slice(0, 8)}\` of #7 into \`main\` is waiting for a member of octo-org. [Approve it`,
      ),
    });
    expect(content([aPull()]).summary).toContain(`](${link}).`);
  });

  it.each([
    ['passkey', 'with a passkey, user verified, on 2026-05-04 12:34 UTC.'],
    ['security-key', 'with a security key, user verified, on 2026-05-04 12:34 UTC.'],
    ['totp', 'with a one-time code, user verified, on 2026-05-04 12:34 UTC.'],
  ] as const)('names who approved the head, how (%s) and when', (method, words) => {
    expect(content([aPull()], [anApproval({ method })])).toEqual({
      status: 'completed',
      conclusion: 'success',
      detailsUrl: approvalUrl(ORIGINS, REPO, aPull()),
      title: 'Approved by mona',
      summary: `@mona approved commit \`${HEAD.slice(0, 8)}\` of #7 into \`main\` ${words}`,
    });
  });

  it('does not say that the user was verified if they were not', () => {
    expect(content([aPull()], [anApproval({ userVerified: false })]).summary).not.toContain('verified');
  });

  it('names the pull request that is still waiting, with its own link', () => {
    const second = aPull({ number: 8, base: 'next' });
    const both = content([aPull(), second], [anApproval()]);
    expect(both).toMatchObject({ status: 'in_progress', title: 'Waiting for an approval' });
    expect(both.detailsUrl).toBe(approvalUrl(ORIGINS, REPO, second));
    expect(both.summary).toMatch(
      /^@mona approved [^\n]* of #7 [^\n]*\n\nCommit [^\n]* of #8 into `next` is waiting/,
    );
    expect(content([aPull(), second]).title).toBe('Waiting for approvals of #7, #8');
  });

  it('names each person once if several pull requests are approved', () => {
    const pulls = [aPull(), aPull({ number: 8 }), aPull({ number: 9 })];
    const approvals = [anApproval(), anApproval({ pr: 8, login: 'octocat' }), anApproval({ pr: 9 })];
    expect(content(pulls, approvals)).toMatchObject({
      status: 'completed',
      title: 'Approved by mona, octocat',
    });
  });

  it('contains no text from a stranger, except the title in the link', () => {
    const title = 'Evil <script>';
    for (const approvals of [[], [anApproval()]]) {
      const { summary, title: heading, detailsUrl } = content([aPull({ title })], approvals);
      expect(`${heading}${summary}`.replaceAll(detailsUrl, '')).not.toMatch(/evil|script/i);
    }
  });

  it('differs for every different verdict', () => {
    const said = [
      content([aPull()]),
      content([aPull({ base: 'next' })]),
      content([aPull(), aPull({ number: 8 })]),
      content([aPull()], [anApproval()]),
      content([aPull()], [anApproval({ login: 'octocat' })]),
    ].map((one) => JSON.stringify(one));
    expect(new Set(said).size).toBe(said.length);
  });
});
