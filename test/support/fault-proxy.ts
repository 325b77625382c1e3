import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Listening, listenOnLoopback } from '../../src/demo/github/listen.ts';

/** How likely each fault of an answer of GitHub's API is, from 0 to 1; together at most 1. */
export type ApiChances = {
  /** 502, and GitHub did nothing. */
  failBefore: number;
  /** 502, although GitHub did it. */
  failAfter: number;
  /** Answered after up to two seconds. */
  slow: number;
  /** The connection ends before GitHub hears of it. */
  cutBefore: number;
  /** GitHub did it, and the connection ends before its answer. */
  cutAfter: number;
  /** 403 of a secondary rate limit, with `retry-after`. */
  limited: number;
};

/** How likely each fault of a webhook is, from 0 to 1; `drop` and `fail` together at most 1. */
export type HookChances = {
  /** GitHub takes it for delivered, and nobody gets it. */
  drop: number;
  /** GitHub takes it for failed, and nobody gets it. */
  fail: number;
  /** It comes twice. */
  double: number;
  /** It comes up to so many milliseconds late, so that later ones overtake it. */
  delayMs: number;
};

/** What becomes of every request, as long as GitHub is down. */
export type Outage = 'refuses' | '502' | 'hangs';

export type FaultProxy = {
  /** What the product takes for GitHub. */
  githubUrl: string;
  /** What GitHub and people take for the product. */
  publicUrl: string;
  /** Where both are in truth. */
  between(places: { github: string; product: string }): void;
  /** Faults at random from now on. */
  storm(chances: { api?: Partial<ApiChances>; hooks?: Partial<HookChances> }): void;
  /** GitHub is down for the requests whose `METHOD /path` is `only`, else for all. */
  outage(kind: Outage, only?: RegExp): Promise<void>;
  /** No fault from now on; what hangs is cut. */
  calm(): Promise<void>;
  /** Resolves when no late webhook is on its way. */
  settled(): Promise<void>;
  /** How often each fault was done. */
  faults: Record<string, number>;
  /** How often each route of the API was asked since `forgetRequests`, by `GET /repos/{owner}/{repo}/pulls`. */
  requests: Map<string, number>;
  forgetRequests(): void;
  close(): Promise<void>;
};

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

const NO_API_FAULTS: ApiChances = {
  failBefore: 0,
  failAfter: 0,
  slow: 0,
  cutBefore: 0,
  cutAfter: 0,
  limited: 0,
};
const NO_HOOK_FAULTS: HookChances = { drop: 0, fail: 0, double: 0, delayMs: 0 };
const SLOWEST_MS = 2_000;
const HOOKS = '/api/github/webhooks';

/** `GET /repos/{owner}/{repo}/pulls` of `GET /repos/octo-org/hello/pulls?page=2`. */
function routeOf(method: string, url: string): string {
  const path = (url.split('?')[0] ?? '')
    .replace(/^\/repos\/[^/]+\/[^/]+/, '/repos/{owner}/{repo}')
    .replace(/^\/orgs\/[^/]+/, '/orgs/{org}')
    .replace(/(members|memberships|collaborators)\/[^/]+/, '$1/{username}')
    .replace(/\/[\da-f]{40}(?=\/|$)/g, '/{sha}')
    .replace(/\/\d+(?=\/|$)/g, '/{id}');
  return `${method} ${path}`;
}

/**
 * A proxy between the product and GitHub, in both directions, that does what networks and GitHub do on a bad day.
 * Without `storm` and `outage` it hands everything on as it is.
 *
 * @param random From 0 to 1; which fault comes next. Requests come in an order of their own.
 */
export async function startFaultProxy(random: () => number): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  const faults: Record<string, number> = {};
  const requests = new Map<string, number>();
  const late = new Set<Promise<void>>();
  const hanging = new Set<ServerResponse>();
  let places = { github: '', product: '' };
  let api = NO_API_FAULTS;
  let hooks = NO_HOOK_FAULTS;
  let outage: { kind: Outage; only?: RegExp | undefined } | undefined;
  const count = (fault: string) => {
    faults[fault] = (faults[fault] ?? 0) + 1;
  };

  const answerOf = async (req: IncomingMessage, body: Buffer, origin: string): Promise<Answer> => {
    const { hostname, port } = new URL(origin);
    const options = { agent, hostname, port, method: req.method, path: req.url, headers: req.headers };
    return new Promise((resolve, reject) => {
      const asked: ClientRequest = request(options, (answer) => {
        buffer(answer).then(
          (read) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: read }),
          reject,
        );
      });
      asked.once('error', reject);
      asked.end(body);
    });
  };

  const send = (res: ServerResponse, { status, headers, body }: Answer) => {
    const { 'transfer-encoding': _chunked, connection: _connection, ...kept } = headers;
    for (const name of ['link', 'location'] as const) {
      const value = kept[name];
      // GitHub's own links lead through here too.
      if (value !== undefined) kept[name] = String(value).replaceAll(places.github, githubUrl());
    }
    res.writeHead(status, { ...kept, 'content-length': body.length } as OutgoingHttpHeaders).end(body);
  };
  const refuse = (res: ServerResponse, status: number, message: string, headers: OutgoingHttpHeaders = {}) =>
    res
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ message }));

  const isDown = (req: IncomingMessage) => outage && (outage.only?.test(`${req.method} ${req.url}`) ?? true);

  const drawn = (): keyof ApiChances | undefined => {
    let at = random();
    for (const [fault, chance] of Object.entries(api) as [keyof ApiChances, number][]) {
      if (at < chance) return fault;
      at -= chance;
    }
    return undefined;
  };

  const toGitHub = async (req: IncomingMessage, res: ServerResponse) => {
    const route = routeOf(req.method ?? '', req.url ?? '');
    requests.set(route, (requests.get(route) ?? 0) + 1);
    const body = await buffer(req);
    if (isDown(req)) {
      count(`down: ${outage?.kind}`);
      if (outage?.kind === '502') refuse(res, 502, 'Server Error');
      else if (outage?.kind === 'hangs') hanging.add(res);
      else res.destroy();
      return;
    }
    const fault = drawn();
    if (fault) count(fault);
    if (fault === 'cutBefore') res.destroy();
    else if (fault === 'failBefore') refuse(res, 502, 'Server Error');
    else if (fault === 'limited') {
      const message = 'You have exceeded a secondary rate limit. Please wait a few minutes.';
      refuse(res, 403, message, { 'retry-after': '1' });
    } else {
      if (fault === 'slow') await new Promise((go) => setTimeout(go, random() * SLOWEST_MS));
      const answer = await answerOf(req, body, places.github);
      if (fault === 'cutAfter') res.destroy();
      else if (fault === 'failAfter') refuse(res, 502, 'Server Error');
      else send(res, answer);
    }
  };

  /** Nobody is there to tell when the product is down: GitHub was told that it came. */
  const deliverLate = (req: IncomingMessage, body: Buffer) => {
    const wait = random() * hooks.delayMs;
    const delivery = new Promise((go) => setTimeout(go, wait))
      .then(() => answerOf(req, body, places.product))
      .then(
        ({ status }) => count(status < 300 ? 'hook late' : 'hook lost'),
        () => count('hook lost'),
      )
      .then(() => void late.delete(delivery));
    late.add(delivery);
  };

  const toProduct = async (req: IncomingMessage, res: ServerResponse) => {
    const body = await buffer(req);
    if (req.url !== HOOKS || hooks === NO_HOOK_FAULTS) {
      send(res, await answerOf(req, body, places.product));
      return;
    }
    const at = random();
    if (at < hooks.drop) {
      count('hook dropped');
      refuse(res, 200, 'ok');
    } else if (at < hooks.drop + hooks.fail) {
      count('hook failed');
      refuse(res, 502, 'Bad Gateway');
    } else {
      deliverLate(req, body);
      if (random() < hooks.double) {
        count('hook doubled');
        deliverLate(req, body);
      }
      refuse(res, 202, 'ok');
    }
  };

  const guarded =
    (handle: typeof toGitHub): RequestListener =>
    (req, res) =>
      void handle(req, res).catch(() => res.destroy());

  let apiSide: Listening = await listenOnLoopback(guarded(toGitHub), 0);
  const publicSide = await listenOnLoopback(guarded(toProduct), 0);
  const { port } = apiSide;
  let isListening = true;
  const githubUrl = () => `http://localhost:${port}`;

  return {
    githubUrl: githubUrl(),
    publicUrl: `http://localhost:${publicSide.port}`,
    faults,
    requests,
    between: (given) => {
      places = given;
    },
    storm: (chances) => {
      api = { ...NO_API_FAULTS, ...chances.api };
      hooks = { ...NO_HOOK_FAULTS, ...chances.hooks };
    },
    async outage(kind, only) {
      outage = { kind, only };
      if (kind !== 'refuses' || only || !isListening) return;
      isListening = false;
      await apiSide.close();
    },
    async calm() {
      api = NO_API_FAULTS;
      hooks = NO_HOOK_FAULTS;
      outage = undefined;
      for (const res of hanging) res.destroy();
      hanging.clear();
      if (isListening) return;
      apiSide = await listenOnLoopback(guarded(toGitHub), port);
      isListening = true;
    },
    async settled() {
      while (late.size > 0) await Promise.all(late);
    },
    forgetRequests: () => requests.clear(),
    async close() {
      if (isListening) await apiSide.close();
      await publicSide.close();
      agent.destroy();
    },
  };
}
