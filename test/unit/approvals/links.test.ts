import { describe, expect, it } from '@jest/globals';
import { checkRunContent } from '../../../src/approvals/check-run-content.ts';
import { evaluate } from '../../../src/approvals/evaluate.ts';
import { approvalUrl, changesUrl, pullUrl } from '../../../src/approvals/links.ts';
import type { Approval, PullRequest } from '../../../src/approvals/ports.ts';
import { anApproval, aPull, HEAD, REPO } from '../../support/fakes.ts';

const PLACES = { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' };

describe('the links to a pull request', () => {
  it('lead to its page and to its changes up to the head', () => {
    expect(pullUrl(PLACES, aPull())).toBe('https://github.com/octo-org/hello/pull/7');
    expect(changesUrl(PLACES, aPull())).toBe(`https://github.com/octo-org/hello/pull/7/changes/${HEAD}`);
  });
});

describe('the link to the approval page', () => {
  const parameters = (pull: PullRequest) =>
    Object.fromEntries(new URL(approvalUrl(PLACES, REPO, pull)).searchParams);

  it('carries everything that the page needs', () => {
    expect(approvalUrl(PLACES, REPO, aPull())).toMatch(/^https:\/\/guard\.example\.org\/collect\?/);
    expect(parameters(aPull())).toEqual({
      installation: '5',
      repo: 'hello',
      owner: 'octo-org',
      ownerID: '9',
      pr: '7',
      url: 'https://github.com/octo-org/hello/pull/7',
      head: HEAD,
      headURL: `https://github.com/octo-org/hello/pull/7/changes/${HEAD}`,
      title: 'A change',
    });
  });

  it.each([
    ['markup', '<script>alert(1)</script>'],
    ['the signs of a link', '](https://evil.example)'],
    ['the signs of a query', 'a&head=evil#b?c=d'],
    ['two lines', 'a\r\nb'],
    ['another script', 'Größe 数 مرحبا'],
    ['half of a pair', 'a\ud83d'],
  ])('keeps a title with %s inside its parameter, without a sign of Markdown', (_what, title) => {
    const link = approvalUrl(PLACES, REPO, aPull({ title }));
    expect(link).toMatch(/^[\w%&=+.*:/?-]+$/);
    expect(parameters(aPull({ title }))).toMatchObject({
      head: HEAD,
      title: title.replace('\ud83d', '\ufffd'),
    });
  });

  it('cuts a long title between two characters', () => {
    expect(parameters(aPull({ title: '😀'.repeat(200) })).title).toBe('😀'.repeat(80));
    expect(approvalUrl(PLACES, REPO, aPull({ title: '😀'.repeat(200) })).length).toBeLessThan(2048);
  });
});

describe('what a check run says', () => {
  const content = (pulls: PullRequest[], approvals: Approval[] = []) =>
    checkRunContent(PLACES, REPO, evaluate({ head: HEAD, pulls, approvals }));

  it('names the commit that waits, and links to its approval', () => {
    const link = approvalUrl(PLACES, REPO, aPull());
    expect(content([aPull()])).toEqual({
      status: 'in_progress',
      detailsUrl: link,
      title: 'Waiting for an approval',
      summary: expect.stringContaining(
        `Commit \`${HEAD.slice(0, 8)}\` of #7 into \`main\` waits for a member of octo-org. [Approve it`,
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
      detailsUrl: approvalUrl(PLACES, REPO, aPull()),
      title: 'Approved by mona',
      summary: `@mona approved commit \`${HEAD.slice(0, 8)}\` of #7 into \`main\` ${words}`,
    });
  });

  it('does not say that the user was verified if they were not', () => {
    expect(content([aPull()], [anApproval({ userVerified: false })]).summary).not.toContain('verified');
  });

  it('names the pull request that still waits, with its own link', () => {
    const second = aPull({ number: 8, base: 'next' });
    const both = content([aPull(), second], [anApproval()]);
    expect(both).toMatchObject({ status: 'in_progress', title: 'Waiting for an approval' });
    expect(both.detailsUrl).toBe(approvalUrl(PLACES, REPO, second));
    expect(both.summary).toMatch(
      /^@mona approved [^\n]* of #7 [^\n]*\n\nCommit [^\n]* of #8 into `next` waits/,
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

  it('has no text of a stranger, except for the title in the link', () => {
    const title = 'Evil <script>';
    for (const approvals of [[], [anApproval()]]) {
      const { summary, title: heading, detailsUrl } = content([aPull({ title })], approvals);
      expect(`${heading}${summary}`.replaceAll(detailsUrl, '')).not.toMatch(/evil|script/i);
    }
  });

  it('differs whenever something that it says differs', () => {
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
