import { describe, expect, it } from '@jest/globals';
import { createKeptAnswers, readList } from '../../../../src/adapters/github/conditional-reads.ts';
import { appAt } from './app-at.ts';

/** A list on GitHub: its pages, each with a tag that changes with its content, and a function that reads them. */
function listAtGitHub(pages: string[][]) {
  const github = { pages, asked: [] as [page: number, status: number][], onAsked: () => {}, fails: 0 };
  const app = appAt(async (url, { headers } = {}) => {
    const page = Number(new URL(url).searchParams.get('page'));
    const logins = github.pages[page - 1] ?? [];
    const etag = `"${logins.join()}"`;
    const link = page < github.pages.length ? `<${url}&next>; rel="next"` : '';
    github.onAsked();
    const isKnown = new Headers(headers).get('if-none-match') === etag;
    const status = github.fails === page ? 422 : isKnown ? 304 : 200;
    github.asked.push([page, status]);
    if (status === 304) return new Response(null, { status });
    return Response.json(
      logins.map((login) => ({ login })),
      { status, headers: { etag, link } },
    );
  });
  const read = async (org = 'octo-org', installation = 5) => {
    github.asked = [];
    const octokit = await app.asInstallation(installation);
    return readList(
      (page) => octokit.rest.orgs.listMembers({ org, ...page }),
      (all) => all.map(({ login }) => login),
    );
  };
  const statuses = () => github.asked.map(([, status]) => status);
  return { github, read, statuses };
}

describe('a list that is read again', () => {
  it('is the same if GitHub says that no page changed', async () => {
    const { github, read } = listAtGitHub([['a', 'b'], ['c', 'd'], ['e']]);
    expect(await read()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await read()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(github.asked).toEqual([1, 2, 3].map((page) => [page, 304]));
  });

  it('has the changes of one page, and the other pages as they were kept', async () => {
    const { github, read, statuses } = listAtGitHub([['a', 'b'], ['c', 'd'], ['e']]);
    await read();
    github.pages[1] = ['c', 'x'];
    expect(await read()).toEqual(['a', 'b', 'c', 'x', 'e']);
    expect(statuses()).toEqual([304, 200, 304, 304, 304, 304]);
  });

  it.each<[string, string[][], string[][]]>([
    ['no items of pages that no longer exist', [['a', 'b'], ['c', 'd'], ['e']], [['b', 'c']]],
    ['the items of new pages', [['b', 'c']], [['x', 'a'], ['b', 'c'], ['d']]],
    ['nothing if GitHub’s list is empty', [['a']], [[]]],
    ['a new page that follows an unchanged full page', [Array(100).fill('a')], [Array(100).fill('a'), ['c']]],
  ])('has %s', async (_what, before, after) => {
    const { github, read } = listAtGitHub(before);
    await read();
    github.pages = after;
    expect([await read(), await read()]).toEqual([after.flat(), after.flat()]);
  });

  it('has the items that moved to another page while it was read, also if somebody else read that page', async () => {
    const { github, read } = listAtGitHub([['a', 'b'], ['c', 'd'], ['e']]);
    await read();
    let requests = 0;
    github.onAsked = () => {
      requests += 1;
      // After the first page was read its first item goes away, and the others move up.
      if (requests === 2)
        github.pages = [
          ['b', 'c'],
          ['d', 'e'],
        ];
    };
    const both = await Promise.all([read(), read()]);
    expect(both).toEqual([
      ['b', 'c', 'd', 'e'],
      ['b', 'c', 'd', 'e'],
    ]);
  });

  it('is kept for its own address and installation', async () => {
    const { read, statuses } = listAtGitHub([['a']]);
    await read();
    await read('other-org');
    expect(statuses()).toEqual([200]);
    await read('octo-org', 6);
    expect(statuses()).toEqual([200]);
  });

  it('is read from the start again if a page failed', async () => {
    const { github, read } = listAtGitHub([['a'], ['b']]);
    await read();
    github.pages = [['c'], ['d']];
    github.fails = 2;
    await expect(read()).rejects.toMatchObject({ status: 422 });
    github.fails = 0;
    expect(await read()).toEqual(['c', 'd']);
  });
});

it('answers are dropped if all together weigh too much, the one that was used longest ago first', () => {
  const answers = createKeptAnswers(5);
  const put = (name: string, weight: number) =>
    answers.set(name, { data: name, etag: '', hasNext: false, since: 0 }, weight);
  for (const name of ['one', 'two']) put(name, 2);
  answers.get('one');
  put('three', 2);
  const known = () => ['one', 'two', 'three', 'large'].filter((name) => answers.get(name));
  expect(known()).toEqual(['one', 'three']);
  put('three', 3);
  expect(known()).toEqual(['one', 'three']);
  put('large', 6);
  expect(known()).toEqual(['large']);
});
