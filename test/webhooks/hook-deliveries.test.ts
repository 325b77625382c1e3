import { beforeEach, describe, expect, it } from '@jest/globals';
import { createSentWebhooks } from '../../src/adapters/github/app-registration.ts';
import { githubFixture } from '../support/fixtures.ts';
import { nockGitHub } from '../support/nock-github.ts';
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
const pages = (all: object[][]) =>
  github.answers('GET', LIST, ({ query }) => {
    const at = Number(query.get('cursor')?.replace('v1_', '') ?? 0);
    const next = `<https://api.github.com${LIST}?per_page=100&cursor=v1_${at + 1}>; rel="next"`;
    const first = `<https://api.github.com${LIST}?per_page=100>; rel="first"`;
    return {
      status: 200,
      body: all[at] ?? [],
      headers: { link: at + 1 < all.length ? `${first}, ${next}` : first },
    };
  });

describe('the list of failed webhook deliveries', () => {
  it('is read as the App, with everything that a reconciliation needs', async () => {
    github.expects('GET', LIST, { status: 200, body: [EXAMPLE] });
    expect(await deliveries.listFailed(new Date(0))).toEqual([
      {
        id: EXAMPLE.id,
        guid: EXAMPLE.guid,
        at: new Date(String(EXAMPLE.delivered_at)),
        event: 'merge_group',
        action: 'checks_requested',
        installation: STORY.installation,
      },
    ]);
    expect(github.sent[0]?.authorization).toMatch(/^bearer eyJ/i);
    expect(github.sent[0]?.query.get('status')).toBeNull();
  });

  it('is read page by page, and no further back than requested', async () => {
    pages([[attempt(1, 1), attempt(2, 2)], [attempt(3, 3), attempt(4, 8)], [attempt(5, 9)]]);
    expect((await deliveries.listFailed(ago(5))).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(github.sent.map(({ query }) => query.get('cursor'))).toEqual([null, 'v1_1']);
    expect((await deliveries.listFailed(ago(60))).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([0, 199, 302, 404, 502, 504])('has those that ended with %d', async (status) => {
    pages([[attempt(1, 1, status), attempt(2, 2, 200), attempt(3, 3, 202)]]);
    expect((await deliveries.listFailed(ago(5))).map(({ id }) => id)).toEqual([1]);
  });

  it('is read on behind a page without failures', async () => {
    pages([[attempt(1, 1, 200)], [attempt(2, 2)]]);
    expect((await deliveries.listFailed(ago(5))).map(({ id }) => id)).toEqual([2]);
  });

  it('ends after fifty pages', async () => {
    pages(Array.from({ length: 60 }, (_, page) => [attempt(page + 1, page)]));
    expect(await deliveries.listFailed(ago(600))).toHaveLength(50);
  });
});

describe('a redelivery', () => {
  const AGAIN = `${LIST}/12345678/attempts`;

  it('is requested as the App', async () => {
    github.expects('POST', AGAIN, { status: 202, body: {} });
    await deliveries.redeliver(12345678);
    expect(github.sent[0]?.authorization).toMatch(/^bearer eyJ/i);
  });

  it.each([400, 404, 422])('is skipped if the delivery is gone or under way (%d)', async (code) => {
    github.expects('POST', AGAIN, { status: code, body: { message: 'No' } });
    await deliveries.redeliver(12345678);
  });
});
