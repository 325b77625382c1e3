import { describe, expect, it } from '@jest/globals';
import {
  createPageCache,
  ifChanged,
  type RequestPage,
  unchanged,
} from '../../../../src/adapters/github/conditional-reads.ts';

/** A list on GitHub: its pages, each with a tag that changes with its content. */
class ListAtGitHub {
  pages: string[][];
  /** Each request: the page, and whether GitHub answered that it didn't change. */
  readonly asked: [page: number, outcome: 'new' | 'same'][] = [];
  constructor(pages: string[][]) {
    this.pages = pages;
  }
  readonly ask: RequestPage<string> = async (page, etag) => {
    const data = this.pages[page - 1] ?? [];
    const tag = `"${data.join()}"`;
    this.asked.push([page, etag === tag ? 'same' : 'new']);
    if (etag === tag) return null;
    const link =
      page < this.pages.length ? `<https://api.github.com/x?page=${page + 1}>; rel="next"` : undefined;
    return { data, headers: { etag: tag, link } };
  };
}

const upper = (raw: string) => raw.toUpperCase();

function reader(pages: string[][]) {
  const github = new ListAtGitHub(pages);
  const list = createPageCache();
  return { github, read: (name = 'a list') => list(name, github.ask, upper) };
}

describe('a list that is read again', () => {
  it('is the same if GitHub says that no page changed', async () => {
    const { github, read } = reader([['a', 'b'], ['c', 'd'], ['e']]);
    expect(await read()).toEqual(['A', 'B', 'C', 'D', 'E']);
    github.asked.splice(0);
    expect(await read()).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(github.asked).toEqual([1, 2, 3].map((page) => [page, 'same']));
  });

  it('has the changes of one page, and the other pages from the cache', async () => {
    const { github, read } = reader([['a', 'b'], ['c', 'd'], ['e']]);
    await read();
    github.asked.splice(0);
    github.pages[1] = ['c', 'x'];
    expect(await read()).toEqual(['A', 'B', 'C', 'X', 'E']);
    expect(github.asked.map(([, outcome]) => outcome)).toEqual(['same', 'new', ...Array(4).fill('same')]);
  });

  it('has no items of pages that no longer exist', async () => {
    const { github, read } = reader([['a', 'b'], ['c', 'd'], ['e']]);
    await read();
    github.pages = [['b', 'c']];
    expect(await read()).toEqual(['B', 'C']);
    expect(await read()).toEqual(['B', 'C']);
  });

  it('has the items of new pages', async () => {
    const { github, read } = reader([['b', 'c']]);
    await read();
    github.pages = [['a', 'b'], ['c']];
    expect(await read()).toEqual(['A', 'B', 'C']);
    github.pages = [['x', 'a'], ['b', 'c'], ['d']];
    expect(await read()).toEqual(['X', 'A', 'B', 'C', 'D']);
  });

  it('has the items that moved to another page while it was read', async () => {
    const { github, read } = reader([['a', 'b'], ['c', 'd'], ['e']]);
    await read();
    const { ask } = github;
    let isFirst = true;
    const list = createPageCache();
    const shifting: RequestPage<string> = async (page, etag) => {
      const answer = await ask(page, etag);
      // After the first page was read its first item goes away, and what follows moves up.
      if (isFirst)
        github.pages = [
          ['b', 'c'],
          ['d', 'e'],
        ];
      isFirst = false;
      return answer;
    };
    expect(await list('x', shifting, upper)).toEqual(['B', 'C', 'D', 'E']);
  });

  it('is empty if GitHub’s list is empty', async () => {
    const { github, read } = reader([['a']]);
    await read();
    github.pages = [[]];
    expect([await read(), await read()]).toEqual([[], []]);
  });

  it('has a new page that follows an unchanged full page', async () => {
    const full = Array.from({ length: 100 }, (_, at) => `item-${at}`);
    const { github, read } = reader([full]);
    await read();
    github.pages = [full, ['c']];
    expect((await read()).at(-1)).toBe('C');
  });

  it('is cached under its own name', async () => {
    const { github, read } = reader([['a']]);
    await read('one');
    github.asked.splice(0);
    await read('other');
    expect(github.asked).toEqual([[1, 'new']]);
  });

  it('is read from the start again if a page failed', async () => {
    const github = new ListAtGitHub([['a'], ['b']]);
    const list = createPageCache();
    await list('x', github.ask, upper);
    github.pages = [['c'], ['d']];
    const broken: RequestPage<string> = async (page, etag) => {
      if (page === 2) throw new Error('502');
      return github.ask(page, etag);
    };
    await expect(list('x', broken, upper)).rejects.toThrow('502');
    expect(await list('x', github.ask, upper)).toEqual(['C', 'D']);
  });

  it('is an error if GitHub says that a page did not change that is not in the cache', async () => {
    await expect(createPageCache()('x', async () => null, upper)).rejects.toThrow("we don't have that page");
  });

  it('is forgotten before newer ones if all together weigh too much, however few they are', async () => {
    const github = new ListAtGitHub([['a', 'b']]);
    const list = createPageCache({ most: 5, weigh: (items) => items.length });
    for (const name of ['one', 'two', 'three']) await list(name, github.ask, upper);
    github.asked.splice(0);
    for (const name of ['three', 'two', 'one']) await list(name, github.ask, upper);
    expect(github.asked.map(([, outcome]) => outcome)).toEqual(['same', 'same', 'new']);
    github.pages = [['a', 'b', 'c', 'd', 'e', 'f']];
    await list('large', github.ask, upper);
    github.asked.splice(0);
    for (const name of ['large', 'one']) await list(name, github.ask, upper);
    expect(github.asked.map(([, outcome]) => outcome)).toEqual(['same', 'new']);
  });

  it('is cached if it is among the two thousand lists that were read last', async () => {
    const { github, read } = reader([['a']]);
    for (let number = 0; number <= 2_000; number += 1) await read(`list-${number}`);
    github.asked.splice(0);
    await read('list-1');
    await read('list-2000');
    await read('list-0');
    expect(github.asked.map(([, outcome]) => outcome)).toEqual(['same', 'same', 'new']);
  });
});

describe('a conditional request', () => {
  it('contains the tag of the cached page if there is one', () => {
    expect([ifChanged('"tag"'), ifChanged('')]).toEqual([{ headers: { 'if-none-match': '"tag"' } }, {}]);
  });

  it('treats 304 as unchanged, and every other failure as a failure', () => {
    expect(unchanged({ status: 304 })).toBeNull();
    for (const error of [{ status: 404 }, { status: 500 }, new Error('no network')])
      expect(() => unchanged(error)).toThrow();
  });
});
