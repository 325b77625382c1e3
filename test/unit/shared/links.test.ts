import { describe, expect, it } from '@jest/globals';
import type { PullRequest } from '../../../src/approvals/ports.ts';
import { approvalUrl, changesUrl, pullsWithHeadUrl, pullUrl } from '../../../src/shared/links.ts';
import { aPull, BASE_SHA, HEAD, REPO } from '../../support/fakes.ts';

const ORIGINS = { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' };

describe('the links to a pull request', () => {
  const repository = 'https://github.com/octo-org/hello';

  it('lead to its page, to every change up to the head, and to the pull requests with that head', () => {
    expect(pullUrl(ORIGINS, aPull())).toBe(`${repository}/pull/7`);
    expect(changesUrl(ORIGINS, aPull())).toBe(`${repository}/compare/${BASE_SHA}...${HEAD}`);
    const { baseSha: _, ...unknownBase } = aPull();
    expect(changesUrl(ORIGINS, unknownBase)).toBe(`${repository}/pull/7/files`);
    expect(pullsWithHeadUrl(ORIGINS, aPull())).toBe(`${repository}/pulls?q=is%3Apr+is%3Aopen+${HEAD}`);
  });
});

describe('the link to the approval page', () => {
  const parameters = (pull: PullRequest) =>
    Object.fromEntries(new URL(approvalUrl(ORIGINS, REPO, pull)).searchParams);

  it('carries everything that the page needs', () => {
    expect(approvalUrl(ORIGINS, REPO, aPull())).toMatch(/^https:\/\/guard\.example\.org\/collect\?/);
    expect(parameters(aPull())).toEqual({
      installation: '5',
      repo: 'hello',
      owner: 'octo-org',
      ownerID: '9',
      repoID: '42',
      pr: '7',
      url: 'https://github.com/octo-org/hello/pull/7',
      head: HEAD,
      headURL: `https://github.com/octo-org/hello/compare/${BASE_SHA}...${HEAD}`,
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
    const link = approvalUrl(ORIGINS, REPO, aPull({ title }));
    expect(link).toMatch(/^[\w%&=+.*:/?-]+$/);
    expect(parameters(aPull({ title }))).toMatchObject({
      head: HEAD,
      title: title.replace('\ud83d', '\ufffd'),
    });
  });

  it('cuts a long title between two characters', () => {
    expect(parameters(aPull({ title: '😀'.repeat(200) })).title).toBe('😀'.repeat(80));
  });

  it('leaves the title out if the link would be too long', () => {
    const host = `https://${'guard.'.repeat(40)}example.org`;
    const repo = { id: 42, owner: 'o'.repeat(39), name: 'n'.repeat(100), ownerId: 9 };
    const link = approvalUrl(
      { publicUrl: host, githubUrl: host },
      REPO,
      aPull({ title: '😀'.repeat(200), repo }),
    );
    expect(link.length).toBeLessThan(2000);
    expect(new URL(link).searchParams.get('head')).toBe(HEAD);
    expect(new URL(link).searchParams.get('title')).toBe('');
  });
});
