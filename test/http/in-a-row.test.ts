import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Fetch } from '../../src/adapters/github/fetch.ts';
import { registerPasskey } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import { workerGlobals } from '../support/built.ts';
import {
  approvalOptions,
  type OwnProduct,
  type Pull,
  type Session,
  sendAssertion,
  startTestProduct,
  targetOf,
  until,
} from '../support/product.ts';

// A person waits for answers of GitHub and of the record store that come one after the other. How many there are is the
// same on every machine.

/** How long each answer of GitHub takes while another pull request changes all the time. */
const ANSWER_MS = 150;
const PER_PAGE = 100;
/** Together with the few that the local GitHub has, these are at most 2,000. */
const MANY = 1_950;

type Repository = { id: number; name: string; owner: { login: string; id: number } };
type Listed = Pick<Pull, 'number' | 'title' | 'head'> & { base: Pull['base'] & { repo: Repository } };
type Asked = { what: string; from: number; to: number };

let product: OwnProduct;
let mona: Session;
let key: SoftwareAuthenticator;
const asked: Asked[] = [];
/** The requests to the record store, while a test counts them. */
let stored: Asked[] | null = null;
const { fetch } = workerGlobals;
/** The number of requests so far, and whether other work makes some all the time. */
let begun = 0;
let isBusy = false;

/**
 * Ends once no request has begun for ten turns of the event loop, so that all which wait for no answer have begun, however
 * late a busy machine lets them.
 */
async function allHaveBegun(): Promise<void> {
  if (isBusy) return void (await delay(ANSWER_MS));
  for (let turns = 0, seen = begun; turns < 10; turns += 1) {
    await delay(5);
    if (seen !== begun) turns = 0;
    seen = begun;
  }
}
/** Open pull requests that only GitHub's list shows: no webhook announced them. */
let others: Listed[] = [];

const isList = (url: string) => /\/pulls\?.*state=open/.test(url) && !url.includes('sort=');

/** The local GitHub's own open pull requests. */
let own: Listed[] = [];

/** GitHub's list of open pull requests: its own, newest first, then the others. */
async function answerList(sendRequest: Fetch, ...[url, sent]: Parameters<Fetch>): Promise<Response> {
  const page = Number(new URL(url).searchParams.get('page') ?? 1);
  const headers = new Headers(sent?.headers);
  const known = headers.get('if-none-match');
  headers.delete('if-none-match');
  if (page === 1) own = (await (await sendRequest(url, { ...sent, headers })).json()) as Listed[];
  const all = [...own, ...others];
  const items = all.slice((page - 1) * PER_PAGE, page * PER_PAGE);
  const etag = `"${createHash('sha256').update(JSON.stringify(items)).digest('hex')}"`;
  if (known === etag) return new Response(null, { status: 304 });
  const last = Math.ceil(all.length / PER_PAGE);
  const rels = page < last ? { next: page + 1, last } : {};
  const link = Object.entries(rels).map(
    ([rel, to]) => `<${url.replace(/([?&]page=)\d+/, `$1${to}`)}>; rel="${rel}"`,
  );
  return Response.json(items, { headers: { etag, ...(link.length > 0 && { link: link.join(', ') }) } });
}

/** How many requests were sent one after the other: each after the answer of the one before. */
function inARow(requests: Asked[]): number {
  const depths = new Map<Asked, number>();
  for (const one of requests.toSorted((a, b) => a.from - b.from)) {
    const before = [...depths].filter(([{ to }]) => to <= one.from).map(([, depth]) => depth);
    depths.set(one, 1 + Math.max(0, ...before));
  }
  return Math.max(0, ...depths.values());
}

/** What GitHub was asked before the work ended. The comparison of the head's run, which nobody waits for, isn't counted. */
async function askedDuring<T>(work: () => Promise<T>): Promise<{ result: T; requests: Asked[] }> {
  const from = performance.now();
  const result = await work();
  const to = performance.now();
  const isDuring = (one: Asked) => one.from >= from && one.to <= to && !/GET .*\/check-runs/.test(one.what);
  return { result, requests: asked.filter(isDuring) };
}

async function quiet(): Promise<void> {
  await until('the work in the background', async () => {
    const { length } = asked;
    await delay(3 * ANSWER_MS);
    return asked.length === length && asked.every(({ to }) => to < Number.POSITIVE_INFINITY);
  });
}

/**
 * The counts of the options and of the approval of a pull request, and the answer to the approval.
 *
 * @param before Happens right before the approval.
 */
async function approveCounted(pull: Pull, target: object = targetOf(product, pull), before = () => {}) {
  const open = async () => {
    await quiet();
    return askedDuring(() => approvalOptions(product, mona, target));
  };
  // The other work delays some requests until another answer is there: the fewest of three is what it takes.
  const opened = [await open(), await open(), await open()] as const;
  // Reading the list for the comparison in the background is none of the approval's.
  await quiet();
  const response = key.get(opened[2].result.options);
  before();
  const approved = await askedDuring(() => sendAssertion(product, mona, target, response));
  return {
    options: Math.min(...opened.map(({ requests }) => inARow(requests))),
    approval: inARow(approved.requests),
    answer: approved.result.json<{ passed: boolean; reported: boolean; needs: string | null }>(),
  };
}

beforeAll(async () => {
  // The record store's client looks it up for each request.
  workerGlobals.fetch = async (url, sent) => {
    if (!stored || !/\/api\/(batch|collections)/.test(String(url))) return fetch(url, sent);
    const body = sent?.body instanceof workerGlobals.FormData ? sent.body.get('@jsonPayload') : '';
    const one = { what: `${url} ${body}`, from: performance.now(), to: Number.POSITIVE_INFINITY };
    begun += 1;
    stored.push(one);
    const answer = await fetch(url, sent);
    await allHaveBegun();
    one.to = performance.now();
    return answer;
  };
  product = await startTestProduct({ unlimited: true });
  mona = await product.signIn('mona');
  key = await registerPasskey(product, mona);
  // The first approval reads what the next ones know: who is a member, and the installation's token.
  const pull = await product.pendingPull();
  await sendAssertion(
    product,
    mona,
    targetOf(product, pull),
    key.get((await approvalOptions(product, mona, targetOf(product, pull))).options),
  );
  product.sendInstead(async (sendRequest, url, sent) => {
    const one = {
      what: `${sent?.method ?? 'GET'} ${url}`,
      from: performance.now(),
      to: Number.POSITIVE_INFINITY,
    };
    begun += 1;
    asked.push(one);
    const isListed = isList(url) && others.length > 0;
    try {
      return await (isListed ? answerList(sendRequest, url, sent) : sendRequest(url, sent));
    } finally {
      await allHaveBegun();
      one.to = performance.now();
    }
  });
});

afterEach(async () => {
  await quiet();
  others = [];
});
afterAll(() => {
  workerGlobals.fetch = fetch;
  return product?.stop();
});

/** A pull request that waits, among this many others; those have other commits and bases. */
async function openedAmong(count: number): Promise<Pull> {
  const pull = await product.pendingPull();
  const [like] = await product.asAdmin<Listed[]>('GET', '/repos/octo-org/hello/pulls?state=open');
  if (!like) throw new Error('no open pull request');
  const { id, name, owner } = like.base.repo;
  const base = { ...like.base, ref: 'release', repo: { id, name, owner } };
  others = Array.from({ length: count }, (_, at) => {
    const head = { ref: 'old', label: 'old', sha: at.toString(16).padStart(40, 'f') };
    return {
      number: 1_000_000 - at,
      title: 'Old',
      state: 'open',
      created_at: '2020-01-01T00:00:00Z',
      head,
      base,
    };
  });
  return pull;
}

describe('how many answers of GitHub a person waits for, one after the other', () => {
  it.each([
    ['two for the approval, with the repository’s id', true, 0, 2],
    ['two for the approval, without it, as an old link', false, 0, 2],
    ['two for the approval, among 150 others', true, 150, 2],
    // Two on a quiet machine. On a busy one, the last of twenty pages are asked for when the first were answered.
    ['at most six for the approval, among 2,000', true, MANY, 6],
  ])(
    'is one for the options and %s, while another pull request changes',
    async (_which, withId, count, most) => {
      const [other, pull] = [await product.pendingPull(), await openedAmong(count)];
      const { target } = await approvalOptions(product, mona, targetOf(product, pull));
      const path = `/repos/octo-org/hello/pulls/${other.number}`;
      let changes = 0;
      let isOver = false;
      isBusy = true;
      const changing = (async () => {
        for (; !isOver; changes += 1) {
          await product.asAdmin('PATCH', path, { title: `Change ${changes}` });
          // Several of them come while GitHub answers once. More would only keep the processor busy.
          await delay(ANSWER_MS / 5);
        }
      })();
      try {
        const counted = await approveCounted(pull, withId ? target : targetOf(product, pull));
        expect(counted).toMatchObject({ options: 1, answer: { passed: true, reported: true } });
        expect(counted.approval).toBeLessThanOrEqual(most);
      } finally {
        isOver = true;
        await changing;
        isBusy = false;
      }
      expect(changes).toBeGreaterThan(0);
    },
  );

  it('is three for the approval, among 2,000, if another one was opened since the list was read', async () => {
    const pull = await openedAmong(MANY);
    const { approval, answer } = await approveCounted(pull, targetOf(product, pull), () => {
      others = [{ ...(others[0] as Listed), number: 1_000_001 }, ...others];
    });
    expect(answer).toMatchObject({ passed: true, reported: true });
    expect(approval).toBe(3);
  });

  it('doesn’t let a check pass whose commit is also another pull request’s, deep in the list and unannounced', async () => {
    const pull = await openedAmong(MANY);
    others[1_200] = { ...(others[1_200] as Listed), head: pull.head };
    const { answer } = await approveCounted(pull);
    const needs = expect.stringContaining(`waits for #${others[1_200]?.number} too`);
    expect(answer).toMatchObject({ passed: false, needs });
    const shown = (await product.runs(pull.head.sha)).map(({ conclusion }) => conclusion);
    expect(shown).not.toContain('success');
  });
});

/** How many answers of the record store came one after the other before GitHub got a request like this. */
async function storedBefore(request: RegExp, work: () => Promise<unknown>): Promise<number> {
  await quiet();
  const before = asked.length;
  stored = [];
  await work();
  const found = await until('the request', async () =>
    asked.slice(before).findLast(({ what }) => request.test(what)),
  );
  // GitHub also sends a webhook of a check suite, before that of the pull request.
  const first = stored.findIndex(({ what }) => what.includes('"event":"pull_request"'));
  const row = inARow(stored.slice(Math.max(first, 0)).filter(({ to }) => to <= found.from));
  stored = null;
  return row;
}

describe('how many answers of the record store come one after the other', () => {
  it('are five for the options, and twelve for the approval before its check completes', async () => {
    const pull = await product.pendingPull();
    const { target } = await approvalOptions(product, mona, targetOf(product, pull));
    await quiet();
    stored = [];
    const { options } = await approvalOptions(product, mona, target);
    expect(inARow(stored)).toBe(5);
    const approving = () => sendAssertion(product, mona, target, key.get(options));
    expect(await storedBefore(/^PATCH .*\/check-runs\//, approving)).toBe(12);
  });

  it('are two before the check of a new pull request, and three before that of a new commit', async () => {
    const isCreate = /^POST .*\/check-runs$/;
    expect(await storedBefore(isCreate, () => product.pendingPull())).toBe(2);
    // Who pushed the commit before is read, because the pusher of a missed push is unknown.
    const { number } = await product.pendingPull();
    const push = () => product.asAdmin('PUT', `/repos/octo-org/hello/pulls/${number}/update-branch`, {});
    expect(await storedBefore(isCreate, push)).toBe(3);
  });
});
