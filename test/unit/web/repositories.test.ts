import { describe, expect, test } from '@jest/globals';
import { readInstallationQuery } from '../../../web/src/features/organization/repositories/repositories-page.tsx';
import {
  GithubError,
  readRepositories,
  upToGap,
} from '../../../web/src/features/organization/repositories/use-repositories.ts';

const raw = (name: string) => ({
  name,
  full_name: `octo-org/${name}`,
  html_url: `https://github.com/octo-org/${name}`,
  private: true,
  archived: false,
});

/** GitHub with a number of repositories. It answers for a page once `answer` resolves. */
function github(total: number, answer: (page: number) => Promise<void> = async () => {}) {
  const requests: string[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const deps = {
    config: { githubApi: 'https://api.github.com' },
    accessToken: 'ghu_token',
    signal: new AbortController().signal,
    fetch: (async (url: string) => {
      requests.push(url);
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      const page = Number(new URL(url).searchParams.get('page'));
      await answer(page);
      atOnce--;
      const count = Math.min(100, total - (page - 1) * 100);
      const repositories = Array.from({ length: count }, (_, index) => raw(`r${(page - 1) * 100 + index}`));
      return Response.json({ total_count: total, repository_selection: 'all', repositories });
    }) as typeof fetch,
  };
  return { deps, requests, mostAtOnce: () => mostAtOnce };
}

describe('the repositories of an installation', () => {
  test('are read three pages at a time and shown without a gap', async () => {
    // The second page arrives last.
    let second: (value?: unknown) => void = () => {};
    const { deps, mostAtOnce } = github(512, async (page) => {
      if (page === 2) await new Promise((resolve) => (second = resolve));
      if (page === 6) setTimeout(second);
    });
    const counts: number[] = [];
    await readRepositories(deps, '77', ({ repositories }) => counts.push(repositories.length));
    expect([mostAtOnce(), counts[0]]).toEqual([3, 100]);
    expect([counts.slice(0, -1).every((count) => count === 100), counts.at(-1)]).toEqual([true, 512]);
  });

  const refusing = (fetch: typeof globalThis.fetch) =>
    readRepositories({ ...github(0).deps, fetch }, '77', () => {});

  test.each([
    [401, { message: 'Bad credentials' }, 'Not authorized with GitHub'],
    [500, { message: 'x'.repeat(400) }, `GitHub said: ${'x'.repeat(300)}`],
    [502, null, 'GitHub said: status 502'],
  ])('are refused by GitHub with status %i, %j as “%s”', async (status, answer, message) => {
    await expect(refusing(async () => Response.json(answer, { status }))).rejects.toEqual(
      new GithubError(status, message),
    );
  });
});

test('the shown repositories end before the first page that has not arrived', () => {
  const pages: (number[] | undefined)[] = [[1]];
  pages[2] = [3];
  expect(upToGap(pages)).toEqual([1]);
  pages[1] = [2];
  expect(upToGap(pages)).toEqual([1, 2, 3]);
});

describe('the address of the repositories page', () => {
  test.each([
    ['', { installation: '', justInstalled: false }],
    ['?installation=77', { installation: '77', justInstalled: false }],
    ['?installation=77&installation_id=78', { installation: '77', justInstalled: false }],
    ['?installation_id=78&setup_action=install', { installation: '78', justInstalled: true }],
    // The dashboard filled in the preferred organization.
    ['?installation=77&installation_id=78&setup_action=update', { installation: '78', justInstalled: true }],
    ['?installation=77&setup_action=request', { installation: '77', justInstalled: false }],
    ['?installation=../7', { installation: '', justInstalled: false }],
  ])('%j names %o', (search, query) => {
    expect(readInstallationQuery(search)).toEqual(query);
  });
});
