import { describe, expect, test } from '@jest/globals';
import type { ExportedEntry } from '../../../src/contract/log-entry.ts';
import type {
  LogExportPage,
  ReceiptStatement,
  ReceiptsExport,
  ReceiptsExportRequest,
} from '../../../src/contract/receipts.ts';
import { csvRow } from '../../../web/src/features/organization/download/csv.ts';
import { auditFile, csvFile, exportLog } from '../../../web/src/features/organization/exports/export-log.ts';
import {
  exportReceipts,
  readCommits,
} from '../../../web/src/features/organization/exports/export-receipts.ts';
import { checkFiles } from '../../../web/src/features/verify/check-files.ts';
import { readFile, readText } from '../../../web/src/features/verify/read-file.ts';
import { ApiError } from '../../../web/src/lib/api/api-client.ts';
import { TestLog } from '../../support/test-log.ts';
import { addApproval, addDenial, addDeployment, addRejection } from '../../support/test-receipt.ts';
import { fakeApi, problemOf } from './fixtures.ts';

const HEAD = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const NOTE = `guard.example.org/log/9919\n3\n${'A'.repeat(43)}=\n\n— guard.example.org/log/9919 AAAAAAAAAA==\n`;
const job = { signal: new AbortController().signal, onProgress: () => {} };

/** These in order; an error is thrown. */
const inOrder =
  <T>(...answers: (T | Error)[]) =>
  () => {
    const answer = answers.shift();
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  };
const withToken = { accessToken: () => 'ghu' };

const entryOf = (number: number, data = {}, person: object | null = {}) =>
  ({
    number,
    event: { at: '2026-11-21T09:00:00Z', activity: 'totpCollect', data, facts: { userVerified: false } },
    person: person && { data: person, facts: { by: { id: 4 } } },
  }) as unknown as ExportedEntry;

const pageOf = (numbers: number[], next: number | null): LogExportPage => ({
  ...{ version: 1, log: 'guard.example.org/log/9919', org: { id: 9919 }, next },
  ...{ checkpoint: `checkpoint ${numbers.at(-1)}`, left: [`left of ${numbers[0]}`] },
  ...{ entries: numbers.map((number) => entryOf(number)), right: [`right of ${numbers.at(-1)}`] },
});

describe('an export', () => {
  test('of the log joins the pages to one file, and waits where the server asks to', async () => {
    const pages = [
      pageOf([4, 5], 5),
      new ApiError(problemOf('tooManyRequests', { retryAfter: 0.001 })),
      pageOf([6], null),
    ];
    const { api, sent } = fakeApi({ '/log-export': inOrder<LogExportPage>(...pages) });
    const { parts, count } = await exportLog(
      { api, ...withToken },
      { orgID: 9919 },
      { format: auditFile, job },
    );
    const { next: _, ...joined } = pageOf([4, 5, 6], null);
    const file = { ...joined, left: ['left of 4'], right: ['right of 6'], checkpoint: 'checkpoint 6' };
    expect([count, JSON.parse(parts.join(''))]).toEqual([3, file]);
    expect(sent[2]?.body).toEqual({ orgID: 9919, after: 5, accessToken: 'ghu' });
  });

  test('of the log as a table has no cell that a spreadsheet runs', () => {
    const rows = [
      entryOf(1, { repo: '=cmd|x', pr: 7, sha: HEAD, base: 'main' }, { login: '@SUM(A1)', label: '-1"\n+2' }),
      entryOf(2, { repo: '\tx' }, null),
    ]
      .map(csvFile.write)
      .join('');
    expect(rows).toContain(
      `"1","2026-11-21T09:00:00Z","totpCollect","'@SUM(A1)","approved =cmd|x #7 at 6dcb09b5`,
    );
    expect(rows).toContain(`,"'=cmd|x","7","${HEAD}","","'-1""\n+2","","4","main","false"\r\n"2",`);
    expect(rows).toContain(`"(erased)","approved a pull request with a one-time code","'\tx"`);
    // Where a semicolon ends a cell, our quotes are text.
    expect(csvRow(['a;=1+1', 'b;"-1&"', 'c; d-e'])).toBe(`"a;'=1+1","b;'""-1&""","c; d-e"\r\n`);
  });

  test('of receipts asks for a hundred commits together, and keeps which have none', async () => {
    const commits = Array.from({ length: 101 }, (_, at) => at.toString(16).padStart(40, '0'));
    const without = [{ commit: String(commits[0]), why: 'No approval.' }];
    const log = new TestLog();
    const statement = addApproval(log)();
    const envelopes = [log.envelope(statement), log.envelope(statement)];
    const { api, sent } = fakeApi({
      '/receipts-export': inOrder<ReceiptsExport>(
        { receipts: envelopes.slice(0, 1), without, next: 'more' },
        { receipts: [], without: [], next: null },
        { receipts: envelopes.slice(1), without: [], next: null },
      ),
    });
    const exported = await exportReceipts(
      { api, ...withToken },
      { orgID: 9919, repo: 'hello', commits },
      job,
    );
    expect(JSON.parse(exported.parts.join(''))).toEqual({ receipts: envelopes });
    expect(exported.without).toEqual(without);
    const asked = sent.map(({ body }) => (body as ReceiptsExportRequest).commits?.length);
    expect(asked).toEqual([100, 100, 1]);
  });

  test.each([
    [`${HEAD}\n${HEAD.toUpperCase()} Add a greeting\n\n`, { commits: [HEAD] }],
    ['6dcb09b5 Add a greeting', { problem: "“6dcb09b5” isn't a full commit hash." }],
    [' \n', { problem: 'Paste the commits of the release, one full hash a line.' }],
  ])('of a release reads %j as %j', (text, read) => {
    expect(readCommits(text)).toEqual(read);
  });
});

describe('a file to verify', () => {
  test.each([
    ['{"payload":"","signatures":[]}', 'receipt'],
    ['{"receipts":[]}', 'bundle'],
    ['{"entries":[],"checkpoint":""}', 'export'],
    ['{"keys":[],"host":""}', 'keys'],
    [NOTE, 'text'],
    ['{"payload":', 'unusable'],
    ['null', 'unusable'],
  ])('%j is of the kind %s', (text, kind) => {
    expect(readText('file', text).kind).toBe(kind);
  });

  test('says that it is no JSON', () => {
    const problem = expect.stringMatching(/^This file isn't JSON, and has no checkpoint in it\./);
    expect(readText('file', '{"payload":')).toMatchObject({ problem });
  });

  test('is not read if it is too large', async () => {
    const file = { name: 'x', size: 2 ** 27, text: () => Promise.reject(new Error('read')) };
    expect(await readFile(file)).toMatchObject({ problem: expect.stringContaining('larger than 64 MB') });
  });

  test('is compared only with checkpoints of its size: others prove nothing about it', async () => {
    const log = new TestLog();
    const statement = addApproval(log)();
    const [small, fork] = [log.checkpoint(3), log.fork(4)];
    while (fork.entries.length < log.entries.length) fork.add('setOrgImage');
    const files = [readText('r', JSON.stringify(log.envelope(statement)))];
    const check = async (text: string) => {
      const input = { files, keys: log.keyList, texts: [{ text, from: 'GitHub' }] };
      return (await checkFiles(input, () => {})).checked[0]?.verdicts[0];
    };
    const why = { status: 'claimed', about: 'checkpoint', text: expect.stringContaining('another number') };
    expect(await check(small)).toMatchObject({ valid: true, findings: expect.arrayContaining([why]) });
    expect((await check(`${small}\n${log.checkpoint()}`))?.findings).not.toContainEqual(why);
    expect(await check(`${small}\n${fork.checkpoint()}`)).toMatchObject({ valid: false });
  });

  test('says that it names no commit if it has no claims', async () => {
    const payload = btoa(JSON.stringify({ predicate: { statement: { repo: {}, user: {} } } }));
    const files = [
      readText('r', JSON.stringify({ payload, payloadType: 'application/vnd.in-toto+json', signatures: [] })),
    ];
    const { checked } = await checkFiles({ files, keys: new TestLog().keyList, texts: [] }, () => {});
    expect(checked[0]?.verdicts[0]).toMatchObject({ valid: false, title: 'an unnamed commit' });
  });

  test('has a story only of what a key signed, and only if it is valid', async () => {
    const log = new TestLog();
    const LATER = '2026-07-02T00:00:00.000Z';
    const signed = addApproval(log)();
    const withdrawn = { ...signed, predicate: { ...signed.predicate, withdrawn: LATER } };
    const code = {
      ...signed.predicate,
      method: 'totp' as const,
      assertion: null,
      publicKey: null,
      userVerified: false,
    };
    const coded = { ...signed, predicate: { ...code, enrolment: [], log: null } };
    const check = async (statement: ReceiptStatement, keys: unknown = log.keyList) => {
      const files = [readText('r', JSON.stringify(log.envelope(statement)))];
      return (await checkFiles({ files, keys, texts: [] }, () => {})).checked[0]?.verdicts[0];
    };
    const { statement, approved } = signed.predicate;
    const approval = { head: statement.head, login: statement.user.login, at: approved, withdrawn: null };
    const pull = `${statement.repo.name} #${statement.pr} into ${statement.base}`;
    expect(await check(signed)).toMatchObject({
      valid: true,
      story: { pull, opened: null, approvals: [approval] },
    });
    expect((await check(withdrawn))?.story?.approvals[0]).toMatchObject({
      withdrawn: LATER,
    });
    expect(await check(coded)).toMatchObject({ valid: true, story: null });
    expect(await check(signed, null)).toMatchObject({ valid: false, story: null });
    expect(await check(addDenial(log)())).toMatchObject({
      ...{ valid: true, title: expect.stringContaining('denied by mona') },
      story: { approvals: [], denials: [{ head: statement.head, reason: 'drops a table' }] },
    });
    for (const [add, decided] of [[addDeployment, 'approved'] as const, [addRejection, 'rejected'] as const])
      expect(await check(add(new TestLog(log.key))())).toMatchObject({
        ...{ valid: true, story: null },
        title: `Deployment ${decided} by mona: octo-org/hello at ${statement.head.slice(0, 8)}, run 123 to release`,
      });
  });
});
