import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { createElement } from 'react';
import { putUpDom, visitAfresh } from '../../support/dom.ts';
import { record, token } from './fake-record-store.ts';

/*
 * The whole dashboard as a person uses it: the real pages, session and clients in a document of this process. Only the
 * network is played.
 */

/** How the network answers, by method and path; what is not in it gets no answer. */
export type Network = Record<string, (body: unknown, url: URL) => Response | Promise<Response>>;

export const json = (value: unknown) => () => Response.json(value);
/** A refusal as the product gives it. */
export const refusal = (status: number, sentence: string) => () =>
  new Response(sentence, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
/** A list of the record store's. */
export const list = (...items: object[]) => json({ items });

type Scene = {
  /** The person's record; null while nobody is signed in. */
  person?: object | null;
  network?: Network;
  /** What the device has kept before. */
  local?: Record<string, string>;
  /** What the server wrote into the page. */
  meta?: Record<string, string>;
};

const REFRESH = 'POST /api/collections/gh_users/auth-refresh';

// React looks for a document when it is loaded. One after the other: jest does not import two side by side.
const takeDown = putUpDom();
const library = await import('@testing-library/react/pure.js');
const { App } = await import('../../../web/src/app/app.tsx');
export const { routes } = await import('../../../web/src/routes/routes.tsx');
const { createClient } = await import('../../../web/src/lib/client.ts');
takeDown();
// A busy machine is slow, and a condition that is met costs nothing.
library.configure({ asyncUtilTimeout: 20_000 });

export const { screen, within, waitFor, fireEvent, render } = library;

/** The sentence of the banner. */
export async function alertText(): Promise<string> {
  const banner = await screen.findByRole('alert');
  return banner.querySelector('p')?.textContent ?? '';
}

/** The dashboard for the tests of one file, which calls this at its top. Answers how an address is opened. */
export function dashboard() {
  const realFetch = globalThis.fetch;
  let leave = () => {};

  beforeAll(() => {
    leave = putUpDom();
  });
  afterEach(() => {
    library.cleanup();
    globalThis.fetch = realFetch;
  });
  afterAll(() => leave());

  /** `asked` is what the dashboard asks the network for. */
  return function open(
    address: string,
    { person = record, network = {}, local = {}, meta = {} }: Scene = {},
  ) {
    library.cleanup();
    visitAfresh(address);
    document.head.replaceChildren(
      ...Object.entries(meta).map(([name, content]) =>
        Object.assign(document.createElement('meta'), { name, content }),
      ),
    );
    for (const [key, value] of Object.entries(local)) window.localStorage.setItem(key, value);
    const asked: { call: string; body: unknown; headers: Headers }[] = [];
    if (person) {
      window.localStorage.setItem('pocketbase_auth', JSON.stringify({ token: token(), record: person }));
      window.localStorage.setItem('gh_accessToken', 'ghu_token');
      window.localStorage.setItem('gh_accessTokenExpiry', String(Date.now() + 60_000));
    }
    const answers: Network = {
      [REFRESH]: json({ token: token(), record: person }),
      'POST /api/realtime': () => new Response(null, { status: 204 }),
      ...network,
    };
    const fetch = async (input: unknown, init: RequestInit = {}) => {
      const url = new URL(String(input), window.location.origin);
      const call = `${init.method ?? 'GET'} ${url.pathname}`;
      const body: unknown = init.body ? JSON.parse(String(init.body)) : undefined;
      asked.push({ call, body, headers: new Headers(init.headers) });
      const answer = answers[call];
      if (!answer) throw new TypeError('fetch failed');
      return answer(body, url);
    };
    globalThis.fetch = fetch;
    window.fetch = fetch;
    const client = createClient(window);
    void client.session.refresh();
    render(createElement(App, { client }));
    return { asked, client };
  };
}
