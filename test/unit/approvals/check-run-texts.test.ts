import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Parser } from 'commonmark';
import fc from 'fast-check';
import { syncCheckRun } from '../../../src/approvals/check-run/head.ts';
import { makeCheckSelectable } from '../../../src/approvals/check-run/make-check-selectable.ts';
import { LONGEST } from '../../../src/approvals/check-run/markdown.ts';
import { headContent } from '../../../src/approvals/check-run/texts.ts';
import { logPart } from '../../../src/approvals/check-run/write.ts';
import { DEFAULT_GROUNDS, judge } from '../../../src/approvals/judge/judge.ts';
import { mergeObstacles } from '../../../src/approvals/merge-queue/judge-merge-group.ts';
import { syncMergeGroup } from '../../../src/approvals/merge-queue/merge-group.ts';
import type { Approval, Denial, PullRequest } from '../../../src/approvals/ports.ts';
import { policySchema } from '../../../src/contract/policy.ts';
import { NO_DETAILS } from '../../../src/policies/details.ts';
import { findCheckpoints } from '../../../src/proofs/checkpoint.ts';
import { approvalUrl } from '../../../src/shared/links.ts';
import {
  aDenial,
  aGroup,
  anApproval,
  anInstallation,
  aPull,
  aPullAuthor,
  aRepository,
  HEAD,
  REPO,
} from '../../support/fakes.ts';
import { person } from '../../support/policies.ts';
import { world as emptyWorld, fakeTimers, HEAD_REF, ORIGINS } from './world.ts';

/** Names that mean something in Markdown, or would end a code span, a link or a line. */
const HOSTILE = [
  ['a`b', '``` [x](https://evil.example) ```', '`', '`a``b```', '[x](https://evil.example)'],
  ['](https://evil.example)', '![x](https://evil.example/y.png)', '<img src=x onerror=alert(1)>'],
  ['<https://evil.example>', '**a** _b_ ~~c~~ &lt; &#96;', 'a\\`b\\', '# a', 'mona_corp'],
  ['a|b', 'a\\|b', '|'],
].flat();

const encodeSign = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`;

/**
 * The rows of the tables in a text, each cell as Markdown, and the rest of the text: a `|` after a backslash is part of
 * its cell (GitHub Flavored Markdown, "Tables").
 */
function readTables(markdown: string) {
  const lines = markdown.split('\n');
  const rows = lines.filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
  const cellsOf = (row: string) =>
    [...row.slice(1).matchAll(/((?:\\.|[^|\\])*)\|/g)].map(([, cell = '']) =>
      cell.replaceAll('\\|', '|').trim(),
    );
  return { rows: rows.map(cellsOf), rest: lines.filter((line) => !line.startsWith('|')).join('\n') };
}

/** The parts that CommonMark's reference parser reads: code spans, other text, links, and everything else. */
function parse(markdown: string) {
  const found = { code: [] as string[], text: '', links: [] as string[], others: [] as string[] };
  const walker = new Parser().parse(markdown).walker();
  for (let event = walker.next(); event; event = walker.next()) {
    const { type, literal, destination } = event.node;
    if (!event.entering || type === 'document' || type === 'paragraph') continue;
    if (type === 'code') found.code.push(literal ?? '');
    else if (type === 'text') found.text += literal ?? '';
    else if (type === 'link') found.links.push(destination ?? '');
    else found.others.push(type);
  }
  return found;
}

describe('the check run of a head', () => {
  const content = (pulls: PullRequest[], approvals: Approval[] = [], denials: Denial[] = []) =>
    headContent(ORIGINS, REPO, judge({ head: HEAD, pulls, approvals, denials, grounds: DEFAULT_GROUNDS }));

  it('names the waiting commit, and links to its approval page', () => {
    const link = approvalUrl(ORIGINS, REPO, aPull());
    expect(content([aPull()])).toMatchObject({
      status: 'in_progress',
      detailsUrl: link,
      title: 'Waiting for approval',
      summary: [
        `[Approve it](${link})`,
        `\`${HEAD.slice(0, 8)}\` ([#7](https://github.com/octo-org/hello/pull/7) by @mona, opened 2026-11-20 09:00 UTC, into \`main\`) isn't approved yet.`,
        '| Rule | Approved by | Still needed |\n| --- | --- | --- |\n| Every pull request | – | 1 approval from any member |',
      ].join('\n\n'),
    });
  });

  it.each([
    ['passkey', true, 'with a passkey (fingerprint, face or PIN), 2026-05-04 12:34 UTC.'],
    ['security-key', false, 'with a security key, 2026-05-04 12:34 UTC.'],
    ['totp', false, 'with a one-time code, 2026-05-04 12:34 UTC.'],
  ] as const)('names who approved the head, how (%s) and when', (method, userVerified, words) => {
    expect(content([aPull()], [anApproval({ method, userVerified })])).toMatchObject({
      status: 'completed',
      conclusion: 'success',
      detailsUrl: approvalUrl(ORIGINS, REPO, aPull()),
      title: 'Approved by mona',
      summary: `@mona approved commit \`${HEAD.slice(0, 8)}\` of #7 into \`main\` ${words}\n\n#7 was opened 2026-11-20 09:00 UTC.`,
    });
  });

  it('names who denied the head, how, when and why, before what it has and lacks', () => {
    const denied = content([aPull()], [anApproval()], [aDenial({ method: 'security-key' })]);
    const link = approvalUrl(ORIGINS, REPO, aPull());
    expect(denied).toMatchObject({
      status: 'completed',
      conclusion: 'action_required',
      detailsUrl: link,
      title: 'Denied by octocat',
    });
    const [why, open, state, , approved] = denied.summary.split('\n\n');
    expect([why, open]).toEqual([
      `@octocat denied commit \`${HEAD.slice(0, 8)}\` with a security key, 2026-05-04 12:34 UTC: drops a table`,
      `[Open it](${link})`,
    ]);
    expect(state).toMatch(/ has every approval that it needs\.$/);
    expect(approved).toMatch(/^@mona approved commit /);
    expect(content([aPull()], [], [aDenial()]).summary).toContain(" isn't approved yet.");
  });

  it('shows a reason as it is, with any Markdown or HTML in it', () => {
    const odd = [
      '<!-- --><details>',
      '[x](https://evil.example)',
      '**b** ~~s~~ `c`',
      '> # - 1. |',
      '&lt;',
      '\\\\*',
    ];
    for (const reason of [...HOSTILE, ...odd]) {
      const [line = ''] = content([aPull()], [], [aDenial({ reason })]).summary.split('\n\n');
      const { text, code, links, others } = parse(line);
      expect({ code, links, others }).toEqual({ code: [HEAD.slice(0, 8)], links: [], others: [] });
      expect(text.endsWith(`12:34 UTC: ${reason}`)).toBe(true);
    }
  });

  it('names the pull request that is still waiting, with its own link', () => {
    const second = aPull({ number: 8, base: 'next', author: aPullAuthor({ login: 'mallory' }) });
    const both = content([aPull(), second], [anApproval()]);
    expect(both).toMatchObject({ status: 'in_progress', title: '#8 (mallory) needs approval' });
    expect(both.detailsUrl).toBe(approvalUrl(ORIGINS, REPO, second));
    expect(both.summary).toMatch(
      /^\[Approve #8\]\(\S*&pr=8&\S*\)\n\n[^\n]* \(\[#8\]\(\S*\/pull\/8\) by @mallory, opened 2026-11-20 09:00 UTC, into `next`\) isn't approved yet\.\n[\s\S]*\n\n#7 is approved: @mona [^\n]*\n\n#7 was [^\n]*$/,
    );
    expect(content([aPull(), second]).title).toBe('#7 (mona) and #8 (mallory) need approval');
    expect(content([aPull({ author: null }), second]).title).toContain('#7 (a deleted account) and ');
  });

  it('has a whole table for a pull request that needs no approval, next to one that waits', () => {
    const rules = [
      { name: 'docs', when: { branches: ['docs'] }, require: { approvals: 0 } },
      { name: 'main', when: { branches: ['main'] } },
    ];
    const people = [{ id: 2, login: 'mona', isMachine: false }];
    const commits = { people, areAllKnown: true, areAllVerified: true, commits: [], isComplete: true };
    const details = new Map([[8, { ...NO_DETAILS, commits, pushers: people }]]);
    const grounds = { policy: policySchema.parse({ version: 1, rules }), details, hasRoots: false };
    const pulls = [aPull(), aPull({ number: 8, base: 'docs' })];
    const { summary } = headContent(
      ORIGINS,
      REPO,
      judge({ head: HEAD, pulls, approvals: [], denials: [], grounds }),
    );
    expect(summary).toMatch(
      /\n\n#8 is approved:\n\n\| Rule \| [^\n]*\n\| --- [^\n]*\n\| docs \| – \| Nothing \|\n\n#8 was opened 2026-11-20 09:00 UTC\.$/,
    );
  });

  it('says what agents did, waiting and approved', () => {
    const policy = policySchema.parse({ version: 1, rules: [{ name: 'a', when: { agents: true } }] });
    const agents = { hasHand: 'yes', line: 'a_b@acme.dev wrote its only commit' } as const;
    const people = [person(2, 'mona')];
    const grounds = { policy, details: new Map([[7, { ...NO_DETAILS, agents, people }]]), hasRoots: false };
    const summaryOf = (approvals: Approval[]) =>
      headContent(ORIGINS, REPO, judge({ head: HEAD, pulls: [aPull()], approvals, denials: [], grounds }))
        .summary;
    for (const summary of [summaryOf([]), summaryOf([anApproval()])])
      expect(parse(summary.split('\n\n')[summary.startsWith('@') ? 1 : 2] ?? '')).toMatchObject({
        text: 'a_b@acme.dev wrote its only commit.',
        links: [],
      });
  });

  it('names the pull request that was signed if the approval counts for another one too', () => {
    const { conclusion, summary } = content([aPull(), aPull({ number: 8 })], [anApproval()]);
    expect(conclusion).toBe('success');
    expect(summary).toMatch(
      / of #7 [^\n]* UTC\.\n\n#7 was [^\n]*\n\n@mona approved [^\n]* of #8 [^\n]* UTC, signed for #7\.\n\n#8 was [^\n]*$/,
    );
  });

  it('names each person once if several pull requests are approved', () => {
    const pulls = [aPull(), aPull({ number: 8 }), aPull({ number: 9 })];
    const approvals = [anApproval(), anApproval({ pr: 8, login: 'octocat' }), anApproval({ pr: 9 })];
    expect(content(pulls, approvals)).toMatchObject({
      status: 'completed',
      title: 'Approved by mona and octocat',
    });
  });

  it('contains no text from a stranger, except the title in the link', () => {
    const title = 'Evil <script>';
    for (const approvals of [[], [anApproval()]]) {
      const { summary, title: heading, detailsUrl } = content([aPull({ title })], approvals);
      expect(`${heading}${summary}`.replaceAll(detailsUrl, '')).not.toMatch(/evil|script/i);
    }
  });

  /** Pull requests with one head, and titles that are long in a link. */
  const crowd = Array.from({ length: 60 }, (_, index) =>
    aPull({ number: 90_000 + index, title: '😀'.repeat(200), base: `release-${index}` }),
  );

  it('fits into what GitHub accepts, and says what it leaves out', () => {
    const { title, summary, detailsUrl } = content(crowd, [anApproval({ pr: 90_000, base: 'release-0' })]);
    expect(Buffer.byteLength(title)).toBeLessThanOrEqual(255);
    expect(title).toMatch(/^#90001 \(mona\), #90002 \(mona\), .* and 51 more need approval$/);
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(65_535);
    const lines = summary.split('\n\n');
    const shown = lines.filter((line) => line.startsWith('[Approve #9')).length;
    const left = crowd.length - shown;
    expect([shown > 20, lines.length]).toEqual([true, 3 * shown + 1]);
    expect(lines.at(-1)).toBe(
      `… and [${left} more pull requests](https://github.com/octo-org/hello/pulls?q=is%3Apr+is%3Aopen+${HEAD}).`,
    );
    expect(detailsUrl).toContain('pr=90001&');
  });

  /** The table of a pull request under a rule with this name, which a person with this login approved, as it's read. */
  function rowsUnder(name: string) {
    const rule = { name, enforced: true, require: { approvals: 2 } };
    const policy = policySchema.parse({ version: 1, rules: [rule] });
    const { githubId } = anApproval();
    const person = {
      githubId,
      login: name,
      role: 'member',
      permission: 'write',
      isCollaborator: false,
    } as const;
    const details = new Map([[7, { ...NO_DETAILS, people: [{ ...person, teams: [] }] }]]);
    const grounds = { policy, details, hasRoots: false };
    const approvals = [anApproval({ login: name })];
    const verdict = judge({ head: HEAD, pulls: [aPull()], approvals, denials: [], grounds });
    const { rows } = readTables(headContent(ORIGINS, REPO, verdict).summary);
    return rows.map((cells) =>
      cells.map((cell) => {
        const { text, code, links, others } = parse(cell);
        expect({ code, links, others }).toEqual({ code: [], links: [], others: [] });
        return text;
      }),
    );
  }

  it('shows every name as it is, with any Markdown in it', () => {
    for (const name of HOSTILE) {
      const repo = { id: 42, owner: name, name: 'hello', ownerId: 9 };
      const pull = aPull({ base: name, repo, author: aPullAuthor({ login: name }) });
      const link = approvalUrl(ORIGINS, REPO, pull);
      const waits = parse(readTables(content([pull]).summary).rest);
      expect(waits).toEqual({
        code: [HEAD.slice(0, 8), name],
        text: `Approve it (#7 by @${name}, opened 2026-11-20 09:00 UTC, into ) isn't approved yet.`,
        links: [link.replace(/[()\\]/g, encodeSign), expect.stringMatching(/\/hello\/pull\/7$/)],
        others: [],
      });
      expect(rowsUnder(name)).toEqual([
        ['Rule', 'Approved by', 'Still needed'],
        [name, `@${name}`, '1 approval from a member'],
      ]);
      const approved = parse(content([pull], [anApproval({ base: name, login: name })]).summary);
      expect(approved).toMatchObject({ code: [HEAD.slice(0, 8), name], links: [], others: [] });
      expect(approved.text).toContain(`@${name} approved commit  of #7 into  with a passkey`);
      const otherBase = parse(mergeObstacles.otherBase(7, name, name));
      expect(otherBase).toMatchObject({ code: [name, name], links: [], others: [] });
      const unknown = parse(mergeObstacles.unknownBase(HEAD, name));
      expect(unknown).toMatchObject({ code: [HEAD.slice(0, 8), name], links: [], others: [] });
    }
  });
});

const NOTE = `guard.example.org/log/9\n1204\n${'A'.repeat(43)}=\n\n— guard.example.org/log/9 AAAAAAAA\n`;
const CHECKPOINT = { origin: '', size: 1204, root: '', note: NOTE, at: new Date(0) };
const ENDING =
  '<details><summary>Signed checkpoint of the log: 1,204 entries</summary>\n\n' +
  `\`otp-guard audit\` compares the log with it.\n\n\`\`\`\n${NOTE}\`\`\`\n\n</details>`;

async function world() {
  const w = emptyWorld();
  await w.organizations.save(anInstallation({ id: REPO.installation }));
  w.auditLog.checkpoint = CHECKPOINT;
  return w;
}

beforeEach(fakeTimers);
afterEach(() => void jest.useRealTimers());

describe('a check run', () => {
  it('ends with the checkpoint of the log when it completes, and a longer log rewrites nothing', async () => {
    const w = await world();
    await syncCheckRun(w, HEAD_REF);
    expect([w.shown(HEAD)?.status, w.shown(HEAD)?.log]).toEqual(['in_progress', undefined]);
    w.approvals.put(anApproval());
    await syncCheckRun(w, HEAD_REF);
    expect(w.shown(HEAD)).toMatchObject({ conclusion: 'success', log: ENDING });
    w.auditLog.checkpoint = { ...CHECKPOINT, size: 1205 };
    const writes = w.count('checkRuns.update');
    expect(await syncCheckRun(w, HEAD_REF)).toMatchObject({ written: false });
    expect([w.count('checkRuns.update'), w.shown(HEAD)?.log]).toEqual([writes, ENDING]);
  });

  it('ends with it also on a merge group and a default branch, so that an audit finds it', async () => {
    const w = await world();
    await syncMergeGroup(w, REPO, aGroup());
    expect(w.shown(aGroup().head)).toMatchObject({ conclusion: 'failure', log: ENDING });
    w.pulls.all = [];
    await makeCheckSelectable(w, { ...aRepository(), installation: REPO.installation }, HEAD);
    expect(w.shown(HEAD)).toMatchObject({ conclusion: 'cancelled', log: ENDING });
    expect(findCheckpoints(`Summary\n\n${ENDING}`)).toEqual([NOTE]);
  });

  it.each(['logChanged', 'storeUnavailable', ''] as const)(
    'completes without it if the log can’t be read or is empty: %s',
    async (code) => {
      const w = await world();
      if (code) w.stage.fail('auditLog.newestOf', code);
      else w.auditLog.checkpoint = null;
      w.approvals.put(anApproval());
      await syncCheckRun(w, HEAD_REF);
      expect([w.shown(HEAD)?.conclusion, w.shown(HEAD)?.log]).toEqual(['success', undefined]);
      expect(w.unread).toMatchObject(code ? [{ code }] : []);
    },
  );

  it('fits into what GitHub accepts with the longest checkpoint that is stored, and any pull requests', () => {
    const ending = logPart({ size: Number.MAX_SAFE_INTEGER, note: `—${'x'.repeat(999)}` });
    expect(Buffer.byteLength(ending)).toBeLessThanOrEqual(LONGEST.log);
    const bases = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 9_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(bases, (some) => {
        const pulls = some.map((base, at) => aPull({ number: at + 1, base }));
        const approvals = some.map((base, at) => anApproval({ pr: at + 1, base }));
        const denials = some.map((_, at) => aDenial({ login: `${at}`, reason: '🔑*'.repeat(250) }));
        const about = { head: HEAD, pulls, approvals, grounds: DEFAULT_GROUNDS };
        const verdict = judge({ ...about, denials: some.length % 2 ? denials : [] });
        const { summary } = headContent(ORIGINS, REPO, verdict);
        expect(Buffer.byteLength(`${summary}\n\n`) + LONGEST.log).toBeLessThanOrEqual(65_535);
      }),
      { numRuns: 30 },
    );
  });
});
