import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createKeptAnswers, readList } from '../../../../src/adapters/github/conditional-reads.ts';
import { appAt } from './app-at.ts';

type Login = string;
const HUNDRED = Array.from({ length: 100 }, (_, at) => `member-${at}`);
/** An item that changes and stays the same item is `name:content`. */
const idOf = (login: Login) => login.split(':')[0];

/** A list on GitHub: its pages, each with a tag that changes with its content, and a function that reads them. */
function listAtGitHub(pages: Login[][]) {
  const github = { pages, asked: [] as [page: number, status: number][], onAsked: () => {}, fails: 0 };
  let answering = async () => {};
  const app = appAt(async (url, { headers } = {}) => {
    const page = Number(new URL(url).searchParams.get('page'));
    github.onAsked();
    await answering();
    const logins = github.pages[page - 1] ?? [];
    const etag = `"${logins.join()}"`;
    const to = (other: number, rel: string) =>
      `<${url.replace(/\bpage=\d+/, `page=${other}`)}>; rel="${rel}"`;
    const { length } = github.pages;
    const link = page < length ? `${to(page + 1, 'next')}, ${to(length, 'last')}` : '';
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
    return readList(octokit.rest.orgs.listMembers, { org }, (all) => all.map(({ login }) => login), idOf);
  };
  /** Reads while GitHub answers nothing until everything is asked that doesn't wait for an answer. */
  const countRounds = async () => {
    const waiting: (() => void)[] = [];
    answering = () => new Promise((go) => waiting.push(go));
    let isDone = false;
    const reading = read().finally(() => {
      isDone = true;
    });
    let rounds = 0;
    while (!isDone) {
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
      if (waiting.length > 0) rounds += 1;
      for (const go of waiting.splice(0)) go();
    }
    answering = async () => {};
    return { rounds, found: await reading };
  };
  const statuses = () => github.asked.map(([, status]) => status);
  return { github, read, statuses, countRounds };
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

  it('isn’t read twice if an item changed and stayed where it was', async () => {
    const { github, read, statuses } = listAtGitHub([['a', 'b:1'], ['c']]);
    await read();
    github.pages = [['a', 'b:2'], ['c']];
    expect(await read()).toEqual(['a', 'b:2', 'c']);
    expect(statuses()).toEqual([200, 304]);
  });

  it('has the pages after the first one read ten at a time, also if it has to be read twice', async () => {
    const full = (page: number) => Array.from({ length: 100 }, (_, at) => `${page}-${at}`);
    const pages = Array.from({ length: 20 }, (_, page) => full(page));
    const { github, countRounds } = listAtGitHub(pages);
    expect(await countRounds()).toEqual({ rounds: 5, found: pages.flat() });
    expect(github.asked).toHaveLength(40);
    github.pages = [['new', ...full(0).slice(1)], ...pages.slice(1)];
    expect((await countRounds()).rounds).toBe(5);
    github.pages = [['new:changed', ...full(0).slice(1)], ...pages.slice(1)];
    expect((await countRounds()).rounds).toBe(3);
    // GitHub names no pages if nothing changed, and a page may have come after the last full one.
    expect((await countRounds()).rounds).toBe(4);
    expect(github.asked.at(-1)).toEqual([21, 200]);
  });

  it.each<[string, string[][], string[][]]>([
    ['no items of pages that no longer exist', [['a', 'b'], ['c', 'd'], ['e']], [['b', 'c']]],
    ['the items of new pages', [['b', 'c']], [['x', 'a'], ['b', 'c'], ['d']]],
    ['nothing if GitHub’s list is empty', [['a']], [[]]],
    ['a new page that follows an unchanged full page', [HUNDRED], [HUNDRED, ['c']]],
  ])('has %s', async (_what, before, after) => {
    const { github, read } = listAtGitHub(before);
    await read();
    github.pages = after;
    expect([await read(), await read()]).toEqual([after.flat(), after.flat()]);
  });

  it('has the items that moved to another page while it was read, even if another request read that page', async () => {
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
    for (const found of both) expect(found).toEqual(expect.arrayContaining(['b', 'c', 'd', 'e']));
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

it('answers are dropped if all together weigh too much, the longest unused first', () => {
  const answers = createKeptAnswers(5);
  const put = (name: string, size: number) =>
    answers.set(name, { data: name, etag: '', last: 1, at: 0, since: 0 }, { size });
  for (const name of ['one', 'two']) put(name, 2);
  answers.get('one');
  put('three', 2);
  const known = () => ['one', 'two', 'three', 'large'].filter((name) => answers.get(name));
  expect(known()).toEqual(['one', 'three']);
  put('three', 3);
  expect(known()).toEqual(['one', 'three']);
  put('large', 6);
  expect(known()).toEqual(['one', 'three']);
});
