import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { createElement } from 'react';
import type { CallPath } from '../../../src/contract/calls.ts';
import { installDom, openInNewTab } from '../../support/dom.ts';
import { problemResponse, record, token } from './fixtures.ts';

/* The whole dashboard in a document of this process. Pages, session and clients are real; only the network is fake. */

/** The network's answers by method and path; any other call gets no answer. */
export type Network = { [call in Request]?: NetworkAnswer };
export type NetworkAnswer = (body: unknown, url: URL) => Response | Promise<Response>;

/** A product call, or a request to the record store or to GitHub. */
type Request =
  | `POST ${CallPath}`
  | `POST /api/${string}`
  | `${'GET' | 'HEAD' | 'PATCH' | 'DELETE'} /${string}`;

export const json = (value: unknown) => () => Response.json(value);
/** A refusal as the product gives it. */
export const refusal =
  (...problem: Parameters<typeof problemResponse>) =>
  () =>
    problemResponse(...problem);
/** A page of records. */
export const list = (...items: object[]) => json({ items });

type Scene = {
  /** The person's record; null if nobody is signed in. */
  person?: object | null;
  network?: Network;
  /** Local and session storage before the visit. */
  local?: Record<string, string>;
  tab?: Record<string, string>;
  /** The page's meta tags, which the server fills in. */
  meta?: Record<string, string>;
};

const REFRESH = 'POST /api/collections/gh_users/auth-refresh';

// React looks for a document when it loads. Jest can't import two modules simultaneously.
const uninstall = installDom();
const library = await import('@testing-library/react/pure.js');
const { App } = await import('../../../web/src/app/app.tsx');
export const { routes } = await import('../../../web/src/routes/routes.tsx');
const { createClient } = await import('../../../web/src/lib/session/client.ts');
uninstall();
library.configure(({ getElementError }) => ({
  // Generous for a busy machine; a condition that is met costs nothing.
  asyncUtilTimeout: 15_000,
  // The error of a query that is tried again is thrown away, and printing the document into it takes longer than the
  // query. The error of the last try gets the document from the library.
  getElementError: (message, container) =>
    isTryingAgain() ? new Error(message ?? '') : getElementError(message, container),
}));

/** Whether a query runs that the library repeats until it finds something. */
function isTryingAgain(): boolean {
  const config: object = library.getConfig();
  return '_disableExpensiveErrorDiagnostics' in config && config._disableExpensiveErrorDiagnostics === true;
}

export const { screen, within, waitFor, fireEvent, render } = library;

/** The first line of the banner. */
export async function alertText(): Promise<string> {
  const banner = await screen.findByRole('alert');
  return banner.querySelector('p')?.textContent ?? '';
}

/** Call this at the top of a test file. Returns the function that opens the dashboard at an address. */
export function dashboard() {
  const realFetch = globalThis.fetch;
  let uninstall = () => {};

  beforeAll(() => {
    uninstall = installDom();
  });
  afterEach(() => {
    library.cleanup();
    globalThis.fetch = realFetch;
  });
  afterAll(async () => {
    // React may have scheduled work when the last test ended. A busy machine lets it do so in several parts.
    for (let part = 0; part < 20; part += 1) await new Promise(setImmediate);
    uninstall();
  });

  /** `requests` are the dashboard's calls. */
  return function open(
    address: string,
    { person = record, network = {}, local = {}, tab = {}, meta = {} }: Scene = {},
  ) {
    library.cleanup();
    openInNewTab(address);
    document.head.replaceChildren(
      ...Object.entries(meta).map(([name, content]) =>
        Object.assign(document.createElement('meta'), { name, content }),
      ),
    );
    for (const [key, value] of Object.entries(local)) window.localStorage.setItem(key, value);
    for (const [key, value] of Object.entries(tab)) window.sessionStorage.setItem(key, value);
    const requests: { call: string; body: unknown; headers: Headers }[] = [];
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
      const call = `${init.method ?? 'GET'} ${url.pathname}` as Request;
      const body: unknown = init.body ? JSON.parse(String(init.body)) : undefined;
      requests.push({ call, body, headers: new Headers(init.headers) });
      const answer = answers[call];
      if (!answer) throw new TypeError('fetch failed');
      return answer(body, url);
    };
    globalThis.fetch = fetch;
    window.fetch = fetch;
    const client = createClient(window);
    void client.session.refresh();
    render(createElement(App, { client }));
    return { requests, client };
  };
}
