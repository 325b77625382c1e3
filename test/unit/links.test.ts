import { describe, expect, it } from '@jest/globals';
import type { PullRequest } from '../../src/approvals/ports.ts';
import { approvalUrl, changesUrl, pullUrl } from '../../src/links.ts';
import { aPull, HEAD, REPO } from '../support/fakes.ts';

const ORIGINS = { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' };

describe('the links to a pull request', () => {
  it('lead to its page and to its changes up to the head', () => {
    expect(pullUrl(ORIGINS, aPull())).toBe('https://github.com/octo-org/hello/pull/7');
    expect(changesUrl(ORIGINS, aPull())).toBe(`https://github.com/octo-org/hello/pull/7/changes/${HEAD}`);
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
    const link = approvalUrl(ORIGINS, REPO, aPull({ title }));
    expect(link).toMatch(/^[\w%&=+.*:/?-]+$/);
    expect(parameters(aPull({ title }))).toMatchObject({
      head: HEAD,
      title: title.replace('\ud83d', '\ufffd'),
    });
  });

  it('cuts a long title between two characters', () => {
    expect(parameters(aPull({ title: '😀'.repeat(200) })).title).toBe('😀'.repeat(80));
    expect(approvalUrl(ORIGINS, REPO, aPull({ title: '😀'.repeat(200) })).length).toBeLessThan(2048);
  });
});
