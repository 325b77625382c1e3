import { describe, expect, test } from '@jest/globals';
import { readInstallation } from '../../../web/src/features/organization/repositories/read-installation.ts';
import {
  GithubError,
  readRepositories,
  withoutGap,
} from '../../../web/src/features/organization/repositories/repositories.ts';

const raw = (name: string) => ({
  name,
  full_name: `octo-org/${name}`,
  html_url: `https://github.com/octo-org/${name}`,
  private: true,
  archived: false,
});

/** GitHub with so many repositories, answering when `answer` lets it. */
function github(total: number, answer: (page: number) => Promise<void> = async () => {}) {
  const asked: string[] = [];
  let atOnce = 0;
  let most = 0;
  const deps = {
    config: { githubApi: 'https://api.github.com' },
    accessToken: 'ghu_token',
    signal: new AbortController().signal,
    fetch: (async (url: string) => {
      asked.push(url);
      most = Math.max(most, ++atOnce);
      const page = Number(new URL(url).searchParams.get('page'));
      await answer(page);
      atOnce--;
      const count = Math.min(100, total - (page - 1) * 100);
      const repositories = Array.from({ length: count }, (_, at) => raw(`r${(page - 1) * 100 + at}`));
      return Response.json({ total_count: total, repository_selection: 'all', repositories });
    }) as typeof fetch,
  };
  return { deps, asked, most: () => most };
}

describe('readRepositories', () => {
  test('goes on page after page, three at once, and shows no gap', async () => {
    // The second page is the last to come.
    let second: (value?: unknown) => void = () => {};
    const { deps, most } = github(512, async (page) => {
      if (page === 2) await new Promise((resolve) => (second = resolve));
      if (page === 6) setTimeout(second);
    });
    const counts: number[] = [];
    await readRepositories(deps, '77', ({ repositories }) => counts.push(repositories.length));
    expect(most()).toBe(3);
    expect(counts[0]).toBe(100);
    expect(counts.slice(0, -1).every((count) => count === 100)).toBe(true);
    expect(counts.at(-1)).toBe(512);
  });

  const refusing = (fetch: typeof globalThis.fetch) =>
    readRepositories({ ...github(0).deps, fetch }, '77', () => {});

  test.each([
    [401, { message: 'Bad credentials' }, 'Not authorized with GitHub'],
    [500, { message: 'x'.repeat(400) }, `GitHub said: ${'x'.repeat(300)}`],
    [502, null, 'GitHub said: status 502'],
  ])('says what GitHub said with %i', async (status, answer, message) => {
    await expect(refusing(async () => Response.json(answer, { status }))).rejects.toEqual(
      new GithubError(status, message),
    );
  });
});

test('withoutGap ends before the first page that is missing', () => {
  const pages: (number[] | undefined)[] = [[1]];
  pages[2] = [3];
  expect(withoutGap(pages)).toEqual([1]);
  pages[1] = [2];
  expect(withoutGap(pages)).toEqual([1, 2, 3]);
});

describe('readInstallation', () => {
  test.each([
    ['', { installation: '', justConnected: false }],
    ['?installation=77', { installation: '77', justConnected: false }],
    ['?installation=77&installation_id=78', { installation: '77', justConnected: false }],
    ['?installation_id=78&setup_action=install', { installation: '78', justConnected: true }],
    // The preferred organization was filled in.
    ['?installation=77&installation_id=78&setup_action=update', { installation: '78', justConnected: true }],
    ['?installation=77&setup_action=request', { installation: '77', justConnected: false }],
    ['?installation=../7', { installation: '', justConnected: false }],
  ])('%s', (search, asked) => {
    expect(readInstallation(search)).toEqual(asked);
  });
});
