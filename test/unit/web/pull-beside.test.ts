import { describe, expect, test } from '@jest/globals';
import type { ApprovalParamsAnswer } from '../../../src/contract/approvals.ts';
import { signedFiles } from '../../../src/contract/signed-files.ts';
import { spell } from '../../../web/src/components/text.tsx';
import type { ShownFile } from '../../../web/src/lib/pull-texts.ts';
import { hashOf } from '../../../web/src/lib/signing/check-statement.ts';
import { anAnswer, pull, statement, target } from './approval-fixture.ts';
import {
  alertText,
  dashboard,
  fireEvent,
  json,
  type Network,
  type NetworkAnswer,
  refusal,
  screen,
  waitFor,
  within,
} from './dashboard.ts';

const aFile = (change: Partial<ShownFile> = {}): ShownFile => ({
  path: 'src/app.ts',
  previousPath: null,
  status: 'modified',
  sha: 'a1'.repeat(20),
  additions: 2,
  deletions: 1,
  kind: 'text',
  rules: [],
  patch: null,
  marks: [],
  anchor: 'f1'.repeat(32),
  ...change,
});

describe('a changed file', () => {
  test.each([
    ['e\u202Ecod.exe', ['e', 'U+202E', 'cod.exe']],
    ['a\nb\u200Dc', ['a', 'U+000A', 'b', 'U+200D', 'c']],
    ['\u{E0041}', ['', 'U+E0041', '']],
    ['a\u00A0b c', ['a', 'U+00A0', 'b c']],
    ['日本語/עברית.ts', ['日本語/עברית.ts']],
  ])('is spelled with every character that can’t be seen (%j)', (name, parts) => {
    expect(spell(name)).toEqual(parts);
  });
});

const PARAMS = 'POST /github-check-webauthn-params';
const HEAD_NOW = 'GET /repos/octo-org/hello/pulls/7';
const rules = [
  { name: 'two eyes', enforced: true, met: false, approvals: 2, by: ['mona'], missing: 'Needs 1 more.' },
];

describe('next to the approval', () => {
  const open = dashboard();

  /** Answers with the first `first` of these files, and with all of them if the page asks for them. */
  async function answerWith(listed: ShownFile[], first: number, total = listed.length) {
    const answerOf = async (shown: ShownFile[]) => {
      const isComplete = shown.length === total;
      const signed = {
        ...statement,
        base: 'main\u200B',
        ...(isComplete && { files: await hashOf(signedFiles(shown)) }),
      };
      return anAnswer({
        ...{ statement: signed, rules, files: { listed: shown, total, isComplete } },
        pull: {
          ...{ ...pull, author: { login: 'Octocat', avatarUrl: '' } },
          ...{ headBranch: 'mona:fix\u202E', approvedBefore: 'be'.repeat(20) },
        },
      });
    };
    const [some, all] = [await answerOf(listed.slice(0, first)), await answerOf(listed)];
    return (body: unknown) => Response.json((body as { files?: string }).files === 'all' ? all : some);
  }

  const show = (params: NetworkAnswer, network: Network = {}, path = '/collect-passkey') =>
    open(`${path}?${new URLSearchParams({ ...target, repoID: '1296269' })}`, {
      network: { [PARAMS]: params, ...network },
    });

  const rowsOf = async () => {
    const list = await screen.findByRole('list', { name: 'Changed files' });
    return within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  };

  test('are the files, those first that need a close look, the branch and the approvers', async () => {
    const marks = ['Workflow', 'Rule: CI'].map((name) => ({ name, isStrong: true }));
    const workflow = aFile({ path: 'ci.yml', status: 'renamed', previousPath: 'a\u202Eb', marks });
    const lock = aFile({ path: 'go.sum', marks: [{ name: 'Lock file', isStrong: false }] });
    await show(await answerWith([aFile(), lock, workflow], 3));
    expect(await rowsOf()).toEqual([
      'renamedci.yml+2 \u22121from aU+202EbWorkflowRule: CI',
      'modifiedsrc/app.ts+2 \u22121',
      'modifiedgo.sum+2 \u22121Lock file',
    ]);
    const beside = screen.getByRole('region', { name: '3 changed files, 1 to look at closely' });
    expect(beside.textContent).toContain('Branchmona:fixU+202E');
    expect(screen.getByText('Into').nextSibling?.textContent).toBe('mainU+200B');
    expect(beside.textContent).toContain('Your signature covers the whole list.');
    expect(screen.getByText('Opened by').nextSibling?.textContent).toMatch(/you$/);
    const changes = 'https://github.com/octo-org/hello/pull/7/files';
    const hrefOf = (name: RegExp) => within(beside).getByRole('link', { name }).getAttribute('href');
    expect(hrefOf(/^View changes on GitHub/)).toBe(changes);
    expect(hrefOf(/^src.*app\.ts/)).toBe(`${changes}#diff-${'f1'.repeat(32)}`);
    // A denial signs no list of files.
    fireEvent.click(screen.getByRole('link', { name: 'Deny' }));
    await screen.findByRole('heading', { name: 'Deny pull request' });
    expect(beside.textContent).toContain('src/app.ts');
    expect(screen.queryByText(/signature covers/)).toBeNull();
  });

  test('open to the beginning of their patch, whose hidden characters are spelled out', async () => {
    const patch = { text: '@@ -1 +1,2 @@\n-\ta\n+b\u202E\n+c', isCut: true, isHiding: false };
    await show(await answerWith([aFile({ patch }), aFile({ path: 'logo.png' })], 2));
    const fold = await screen.findByRole('button', { name: /^Patch of / });
    expect([fold.textContent, fold.getAttribute('aria-expanded')]).toEqual(['Patch of src/app.ts', 'false']);
    expect(document.querySelector('pre')).toBeNull();
    fireEvent.click(fold);
    expect(fold.getAttribute('aria-expanded')).toBe('true');
    const lines = [...(document.querySelector('pre')?.children ?? [])];
    expect(lines.map(({ tagName, textContent }) => [tagName, textContent])).toEqual([
      ['SPAN', '@@ -1 +1,2 @@'],
      ['DEL', '-\ta'],
      ['INS', '+bU+202E'],
      ['INS', '+c'],
    ]);
    const rest = screen.getByRole('link', { name: /^See the rest on GitHub/ });
    expect(rest.getAttribute('href')).toMatch(/\/files#diff-f1/);
    fireEvent.click(fold);
    expect(document.querySelector('pre')).toBeNull();
  });

  test('whose patch the answer has no room for lead to GitHub', async () => {
    await show(await answerWith([aFile({ patch: { text: '', isCut: true, isHiding: false } })], 1));
    fireEvent.click(await screen.findByRole('button', { name: /^Patch of / }));
    screen.getByRole('link', { name: /^Too long to show here\. See it on GitHub/ });
    expect(document.querySelector('pre')).toBeNull();
  });

  test.each<[number, number, string]>([
    [6, 1, '++++-'],
    [2, 1, '++-  '],
    [1000, 1, '++++-'],
    [1, 1000, '+----'],
    [9, 0, '+++++'],
    [0, 9, '-----'],
    [0, 0, '     '],
  ])('show +%d −%d as the squares %j', async (additions, deletions, squares) => {
    await show(await answerWith([aFile({ additions, deletions })], 1));
    const counts = await screen.findByText(new RegExp(`^\\+${additions} \u2212${deletions}`));
    const drawn = [...(counts.querySelector('[aria-hidden]')?.children ?? [])];
    const signs: Record<string, string> = { INS: '+', DEL: '-' };
    expect(drawn.map(({ tagName }) => signs[tagName] ?? ' ').join('')).toBe(squares);
  });

  test('are none in a commit without changes', async () => {
    await show(await answerWith([], 0));
    await screen.findByText('This commit changes no files.');
    screen.getByRole('region', { name: '0 changed files' });
    expect(screen.queryByRole('list', { name: 'Changed files' })).toBeNull();
  });

  test('are at most 300 files, with the count of the others', async () => {
    const many = Array.from({ length: 3_100 }, (_, index) => aFile({ path: `src/${index}.ts` }));
    const { requests } = await show(await answerWith(many, 3_000));
    expect(await rowsOf()).toHaveLength(300);
    await screen.findByText(/^2800 more aren't shown here/);
    expect(requests.filter(({ call }) => call === PARAMS)).toHaveLength(1);
    expect(screen.queryByText(/signature covers/)).toBeNull();
  });

  test('are all files, once the page has asked for them', async () => {
    const files = Array.from({ length: 150 }, (_, index) => aFile({ path: `src/${index}.ts` }));
    const { requests } = await show(await answerWith(files, 100));
    await screen.findByText('Your signature covers the whole list.');
    expect(await rowsOf()).toHaveLength(150);
    // The first answer was a part of the list, so no file that came later moves the button of a phone.
    screen.getByText('None to look at closely');
    expect(requests.filter(({ call }) => call === PARAMS).map(({ body }) => body)).toMatchObject([
      { pr: '7' },
      { pr: '7', files: 'all' },
    ]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each<[string, { statement?: object; pull?: object }]>([
    ['base branch', { statement: { base: 'release' } }],
    ['title', { pull: { title: 'Another title' } }],
  ])('come with a sentence if the %s changed until the page had them all', async (_what, change) => {
    const some = await answerWith([aFile(), aFile({ path: 'b.ts' })], 1);
    await show(async (body) => {
      const answer = (await some(body).json()) as ApprovalParamsAnswer;
      if ((body as { files?: string }).files !== 'all') return Response.json(answer);
      const { pull, rules, files } = answer;
      return Response.json(
        await anAnswer({
          ...{ rules, files, pull: { ...pull, ...change.pull } },
          statement: { ...answer.statement, ...change.statement },
        }),
      );
    });
    expect(await alertText()).toBe(
      'Something about this pull request changed while the page was open. Look at it, then approve again.',
    );
    expect(await rowsOf()).toHaveLength(2);
  });

  test('stay the first files if GitHub doesn’t list the others, and a person can approve', async () => {
    const some = await answerWith([aFile(), aFile({ path: 'b.ts' })], 1);
    await show((body) => {
      if ((body as { files?: string }).files === 'all') throw new TypeError('fetch failed');
      return some(body);
    });
    expect(await rowsOf()).toHaveLength(1);
    await screen.findByText(/^1 more isn't shown here/);
    const button = screen.getByRole('button', { name: 'Approve with passkey' });
    expect(button.getAttribute('aria-busy')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  /** The answer if GitHub doesn't list the files. */
  async function unlisted(answer: Response) {
    const { pull, rules, statement } = (await answer.json()) as ApprovalParamsAnswer;
    const { files: _files, ...unsigned } = statement;
    return Response.json(await anAnswer({ pull, rules, statement: unsigned }));
  }

  test.each<[string, (listed: Response) => Response | Promise<Response>, object]>([
    ['the page can’t get them all', () => refusal('githubUnavailable')(), {}],
    ['the whole list is none', unlisted, {}],
    [
      'nobody asks for them all',
      unlisted,
      { yourApproval: { method: 'passkey', at: '2026-11-21T09:00:00Z' } },
    ],
  ])('are on GitHub if it doesn’t list them in time and %s', async (_, whole, change) => {
    const answer = await answerWith([aFile()], 1);
    await show(async (body) => {
      if ((body as { files?: string }).files === 'all') return whole(answer(body));
      return Response.json({ ...(await (await unlisted(answer(body))).json()), ...change });
    });
    await screen.findByText('GitHub is slow to list the files.');
    const link = screen.getByRole('link', { name: /^View changes on GitHub/ });
    expect(link.getAttribute('href')).toMatch(/\/pull\/7\/files$/);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each([
    [
      'can’t be listed again',
      true,
      "GitHub doesn't list the changed files now, so your signature won't cover them. You can still approve.",
    ],
    [
      'can be listed by now',
      false,
      "GitHub's list of the changed files is a new one. Look at it, then approve again.",
    ],
  ])('are looked at again before a later signature if they %s', async (_, isFirst, text) => {
    const answer = await answerWith([aFile()], 1);
    let isLater = false;
    await show((body) => {
      const isListed = isFirst !== isLater;
      return isListed && (body as { files?: string }).files !== 'all' ? answer(body) : unlisted(answer(body));
    });
    const press = async () => fireEvent.click(await screen.findByRole('button', { name: /with passkey$/ }));
    await screen.findByText(isFirst ? /^Your signature covers/ : /^GitHub is slow to list/);
    // There is no passkey, so the next press needs a new challenge.
    await press();
    await screen.findByRole('alert');
    isLater = true;
    await press();
    await waitFor(async () => expect(await alertText()).toBe(text));
    await screen.findByText(isFirst ? /^GitHub is slow to list/ : /^Your signature covers/);
    await screen.findByRole('button', { name: /with passkey$/ });
  });

  test('is no timeline of before once the person took their approval back', async () => {
    const answer = await answerWith([aFile()], 1);
    const yourApproval = { method: 'passkey', at: '2026-11-21T09:00:00Z' };
    const params = async (body: unknown) =>
      Response.json({ ...((await (await answer(body)).json()) as object), yourApproval });
    await show(params, { 'POST /github-withdraw-approval': json({ reported: true }) });
    fireEvent.click(await screen.findByRole('button', { name: 'Withdraw approval' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Withdraw my approval' }));
    await screen.findByText('Your approval is withdrawn.');
    await screen.findByText('1 changed file');
    expect(screen.queryByRole('list', { name: 'Timeline' })).toBeNull();
  });

  test('are named above the button on a narrow window if a person should look at them closely', async () => {
    const strong = (name: string) => [
      { name, isStrong: true },
      { name: 'Lock file', isStrong: false },
    ];
    const marked = [...'abcd'].map((name) =>
      aFile({ path: `${name}\u200B.yml`, marks: strong(`Rule: ${name}`) }),
    );
    await show(await answerWith([aFile(), ...marked], 5));
    const term = await screen.findByText('Look at');
    const lines = within(term.nextElementSibling as HTMLElement).getAllByRole('listitem');
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      'aU+200B.yml · Rule: a',
      'bU+200B.yml · Rule: b',
      'cU+200B.yml · Rule: c',
      'and 1 more',
    ]);
  });

  test.each([
    ['1 to look at closely', true],
    ['None to look at closely', false],
  ])('are only counted there if they come after the page (%s)', async (text, isStrong) => {
    const file = aFile({ marks: [{ name: 'A mark', isStrong }] });
    const answer = await answerWith([file], 1);
    let list = () => {};
    const isAsked = new Promise<void>((resolve) => {
      list = resolve;
    });
    await show(async (body) => {
      if ((body as { files?: string }).files !== 'all') return unlisted(answer(body));
      await isAsked;
      return answer(body);
    });
    await screen.findByText('Not all listed yet');
    await screen.findByText('Loading files…');
    list();
    await screen.findByText(text);
    expect(screen.queryByText('Look at')).toBeNull();
  });

  type HappyWindow = { happyDOM: { setViewport(size: { width: number }): void } };
  const setWidth = (width: number) => (window as unknown as HappyWindow).happyDOM.setViewport({ width });

  test('is a fold with its count on a narrow window', async () => {
    const wide = window.innerWidth;
    setWidth(375);
    try {
      await show(await answerWith([aFile()], 1));
      const fold = (await screen.findByText('1 changed file')).closest('details');
      expect(fold?.open).toBe(false);
    } finally {
      setWidth(wide);
    }
  });

  const live = (head: string) => json({ head: { sha: head }, state: 'open' });

  test.each<[string, object, string]>([
    [
      'by oneself in another tab',
      { yourApproval: { method: 'passkey', at: '2026-11-21T09:00:00Z' }, passed: true },
      'Withdraw approval',
    ],
    ['by a colleague', { passed: true }, 'Add your approval'],
  ])(
    'an approval %s is on the page when the person comes back, and no second one is asked for',
    async (_, change, next) => {
      const answer = await answerWith([aFile()], 1);
      const params = async (body: unknown) => {
        const request = (await answer(body).json()) as object;
        const isBack = (body as { type: string }).type === 'show';
        return Response.json({ ...request, ...(isBack && change) });
      };
      await show(params, { [HEAD_NOW]: live(statement.head) });
      await screen.findByRole('button', { name: 'Approve with passkey' });
      await waitFor(() => {
        window.dispatchEvent(new window.Event('focus'));
        screen.getByText(next);
      });
      screen.getByRole('heading', { name: 'Approved' });
      expect(screen.queryByRole('button', { name: /^Approve with/ })).toBeNull();
    },
  );

  test('a new commit is offered as soon as the window has the focus again', async () => {
    const next = 'ab'.repeat(20);
    const network: Network = { [HEAD_NOW]: live(statement.head) };
    const { requests } = await show(await answerWith([aFile()], 1), network);
    await rowsOf();
    // On a busy machine the page listens only a while after it shows the rows.
    const focused = () => window.dispatchEvent(new window.Event('focus'));
    await waitFor(() => {
      focused();
      expect(requests.map(({ call }) => call)).toContain(HEAD_NOW);
    });
    expect(screen.queryByRole('alert')).toBeNull();

    await show(await answerWith([aFile()], 1), { [HEAD_NOW]: live(next) });
    await rowsOf();
    await waitFor(() => {
      focused();
      screen.getByRole('alert');
    });
    expect(await alertText()).toBe('This pull request has a new commit. Look at it, then approve it.');
    // Nobody approves what they didn't see.
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
    fireEvent.click(screen.getByRole('link', { name: 'Look at the new commit' }));
    expect(new URLSearchParams(window.location.search).get('head')).toBe(next);
  });
});
