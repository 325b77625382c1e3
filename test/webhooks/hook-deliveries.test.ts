import { beforeEach, describe, expect, it } from '@jest/globals';
import nock from 'nock';
import { createSentWebhooks } from '../../src/adapters/github/app-registration.ts';
import { githubFixture } from '../support/fixtures.ts';
import { GITHUB_API, nockGitHub } from '../support/nock-github.ts';
import { STORY, testApp } from './bot.ts';

const github = nockGitHub();
let deliveries: ReturnType<typeof createSentWebhooks>;

beforeEach(() => {
  deliveries = createSentWebhooks(testApp().app);
});

const LIST = '/app/hook/deliveries';
const [EXAMPLE] = githubFixture('hook-deliveries') as [Record<string, unknown>];
const NOW = Date.parse('2026-05-04T12:00:00Z');
const ago = (minutes: number) => new Date(NOW - minutes * 60_000);

const attempt = (id: number, minutes: number, status_code = 503) => ({
  ...EXAMPLE,
  id,
  guid: `guid-${id}`,
  delivered_at: ago(minutes).toISOString(),
  status_code,
});
/** Pages of attempts; the link to the next one holds a cursor. */
const pages = (whole: object[][], failures: object[][] = []) =>
  github.answers('GET', LIST, ({ query }) => {
    const status = query.get('status');
    const all = status === 'failure' ? failures : whole;
    const at = Number(query.get('cursor')?.replace('v1_', '') ?? 0);
    const next = `<https://api.github.com${LIST}?per_page=100&cursor=v1_${at + 1}>; rel="next"`;
    const first = `<https://api.github.com${LIST}?per_page=100>; rel="first"`;
    return {
      status: 200,
      body: all[at] ?? [],
      headers: { link: at + 1 < all.length ? `${first}, ${next}` : first },
    };
  });

const idsSince = async (from: Date) => (await deliveries.listFailed(from)).failed.map(({ id }) => id);

describe('the list of failed webhook deliveries', () => {
  it('is read as the App, with everything that a reconciliation needs', async () => {
    github.expects('GET', LIST, { status: 200, body: [EXAMPLE] });
    expect(await deliveries.listFailed(new Date(0))).toEqual({
      isWhole: true,
      failed: [
        {
          id: String(EXAMPLE.id),
          status: EXAMPLE.status_code,
          guid: EXAMPLE.guid,
          at: new Date(String(EXAMPLE.delivered_at)),
          event: 'merge_group',
          action: 'checks_requested',
          installation: STORY.installation,
        },
      ],
    });
    expect(github.sent[0]?.authorization).toMatch(/^bearer eyJ/i);
    expect(github.sent[0]?.query.get('status')).toBeNull();
  });

  it('is read page by page, and no further back than requested', async () => {
    pages([[attempt(1, 1), attempt(2, 2)], [attempt(3, 3), attempt(4, 8)], [attempt(5, 9)]]);
    expect(await idsSince(ago(5))).toEqual(['1', '2', '3']);
    expect(github.sent.map(({ query }) => query.get('cursor'))).toEqual([null, 'v1_1']);
    expect(await idsSince(ago(60))).toEqual(['1', '2', '3', '4', '5']);
  });

  it.each([0, 199, 302, 404, 502, 504])('has deliveries that ended with %d', async (status) => {
    pages([[attempt(1, 1, status), attempt(2, 2, 200), attempt(3, 3, 202)]]);
    expect(await idsSince(ago(5))).toEqual(['1']);
  });

  it('is read on behind a page without failures', async () => {
    pages([[attempt(1, 1, 200)], [attempt(2, 2)]]);
    expect(await idsSince(ago(5))).toEqual(['2']);
  });

  it('may not be whole after fifty pages, and then has what GitHub lists as failures as well', async () => {
    const page = (at: number) => [attempt(2 * at + 2, at, at === 55 ? 503 : 200), attempt(2 * at + 1, at, 0)];
    const all = Array.from({ length: 60 }, (_, at) => page(at));
    const failures = all.flat().filter(({ status_code: status }) => status >= 400);
    pages(all, [failures]);
    const { failed, isWhole } = await deliveries.listFailed(ago(600));
    expect(isWhole).toBe(false);
    const newest = Array.from({ length: 50 }, (_, at) => String(2 * at + 1));
    expect(failed.map(({ id }) => id)).toEqual([...newest, '112']);
    expect((await deliveries.listFailed(ago(48))).isWhole).toBe(true);
  });

  it('has ids that a number can’t hold exactly', async () => {
    const id = '18014398509481985';
    // JSON.stringify can't write such a number either.
    const answer = JSON.stringify([{ ...attempt(1, 1), id: 'big' }]).replace('"big"', id);
    nock(GITHUB_API).get(LIST).query(true).reply(200, answer, { 'content-type': 'application/json' });
    expect(await idsSince(ago(5))).toEqual([id]);
    github.expects('POST', `${LIST}/${id}/attempts`, { status: 202, body: {} });
    await deliveries.redeliver(id);
  });
});

describe('a redelivery', () => {
  const AGAIN = `${LIST}/12345678/attempts`;

  it('is requested as the App', async () => {
    github.expects('POST', AGAIN, { status: 202, body: {} });
    await deliveries.redeliver('12345678');
    expect(github.sent[0]?.authorization).toMatch(/^bearer eyJ/i);
  });

  it.each([400, 404, 422])('is skipped if the delivery is gone or under way (%d)', async (code) => {
    github.expects('POST', AGAIN, { status: code, body: { message: 'No' } });
    await deliveries.redeliver('12345678');
  });
});
