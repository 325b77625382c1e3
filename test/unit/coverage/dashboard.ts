import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { ComponentType } from 'react';
import { createElement } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { readPageContext } from '../../../web/src/lib/page-context.ts';
import type { User } from '../../../web/src/lib/user.ts';
import { fakeLocal } from '../web/fake-local.ts';

/*
 * The dashboard's pages as they first show themselves, without a browser: rendered to text through the table of routes.
 * Effects do not run there, so the session and what a page loads are what a test says.
 */

const web = join(import.meta.dirname, '../../../web/src');

export const user: User = {
  id: 'user00000000001',
  username: 'octocat',
  githubId: 583231,
  avatar: '',
  email: '',
  image: null,
  authenticators: {},
  organizations: [],
};

type Scene = {
  /** Null while nobody is signed in. */
  user: User | null;
  fresh: 'yes' | 'pending' | 'failed';
  /** What the page's first question was answered with; undefined while it is on its way. */
  loaded?: unknown;
};

const config = {
  origin: 'https://guard.example.org',
  github: 'https://github.com',
  githubApi: 'https://api.github.com',
  install: 'https://github.com/apps/otp-guard/installations/new',
};

let scene: Scene = { user, fresh: 'yes' };
const local = fakeLocal();
/** What the pages get from outside themselves; a test may give them something else. */
export const client = {
  config,
  local,
  tab: local,
  session: { accessToken: () => 'ghu_token', token: () => 'token', refresh: async () => undefined },
  api: {} as object,
  store: { filter: (text: string) => text } as object,
  now: () => Date.now(),
};
const state = () =>
  scene.user
    ? { status: 'signed-in', user: scene.user, fresh: scene.fresh }
    : { status: 'signed-out', notice: null };

for (const file of readdirSync(web, { recursive: true, encoding: 'utf8' })) {
  // A class is called as in the file, so that tests can name one.
  if (file.endsWith('.css'))
    jest.unstable_mockModule(join(web, file), () => ({
      default: new Proxy({}, { get: (_, name) => String(name) }),
    }));
}
jest.unstable_mockModule(join(web, 'lib/use-client.ts'), async () => ({
  ClientContext: (await import('react')).createContext(client),
  useClient: () => client,
  useSessionState: state,
  useUser: () => scene.user,
  usePageContext: () => readPageContext(useLocation().search),
}));
jest.unstable_mockModule(join(web, 'lib/use-loaded.ts'), () => ({
  useLoaded: () => ({
    loaded: scene.loaded === undefined ? { status: 'awaiting' } : { status: 'ok', value: scene.loaded },
    setLoaded: () => undefined,
    reload: () => undefined,
  }),
}));

/** A module of the dashboard; what it imports is there as above. */
export const load = (path: string) => import(join(web, path));

/** The markup of the page at an address, with what is around it. */
export async function show(address: string, given: Partial<Scene> = {}): Promise<string> {
  scene = { user, fresh: 'yes', ...given };
  const { routes } = await load('routes/routes.tsx');
  const { Gate } = await load('app/gate.tsx');
  const places = (routes as { path: string }[]).map((route) =>
    createElement(Route, { key: route.path, path: route.path, element: createElement(Gate, { route }) }),
  );
  return markup(createElement(Routes, null, ...places), address);
}

/** The markup of one component. */
export function draw<Props extends object>(
  component: ComponentType<Props>,
  props: Props,
  given: Partial<Scene> = {},
): Promise<string> {
  scene = { user, fresh: 'yes', ...given };
  return markup(createElement(component, props), '/');
}

async function markup(element: ReturnType<typeof createElement>, address: string): Promise<string> {
  let failure: unknown = null;
  const { prelude } = await prerenderToNodeStream(
    createElement(MemoryRouter, { initialEntries: [address] }, element),
    {
      onError(error) {
        failure ??= error;
      },
    },
  );
  let html = '';
  for await (const part of prelude) html += String(part);
  if (failure) throw failure;
  return html;
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** What a person reads of it. */
export const textOf = (html: string): string =>
  html
    .replace(/<template[^>]*>|<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? '')
    .replace(/\s+/g, ' ');
