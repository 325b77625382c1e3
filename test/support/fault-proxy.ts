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
import { listenOnLoopback } from '../../demo/github/listen.ts';

/** The probability of each fault of GitHub's API; together at most 1. */
type ApiChances = {
  /** 502; GitHub doesn't get the request. */
  failBefore: number;
  /** 502, although GitHub handled the request. */
  failAfter: number;
  /** A delay of up to two seconds. */
  slow: number;
  /** The connection breaks; GitHub doesn't get the request. */
  cutBefore: number;
  /** The connection breaks after GitHub handled the request. */
  cutAfter: number;
  /** 403 for a secondary rate limit, with `retry-after`. */
  limited: number;
};

/** The probability of each fault of a webhook; `drop` and `fail` together at most 1. */
type WebhookChances = {
  /** GitHub records a successful delivery, but the product doesn't get it. */
  drop: number;
  /** GitHub records a failed delivery, and the product doesn't get it. */
  fail: number;
  /** It is delivered twice. */
  double: number;
  /** It is delivered up to this many milliseconds late, so that later ones overtake it. */
  delayMs: number;
};

/** A check run that GitHub created or changed for the product, as GitHub answered it; times in milliseconds. */
export type RunWrite = {
  isNew: boolean;
  /** When the product sent the request. */
  sent: number;
  /** When GitHub answered, whether or not the product got that answer. */
  at: number;
  run: { id: number; head_sha: string; conclusion: string | null };
};

/** A review of a deployment, or a report without a state, that GitHub took; times in milliseconds. */
export type ReviewWrite = {
  run: number;
  environment: string;
  state: 'approved' | 'rejected' | undefined;
  /** When the product sent the request, and when GitHub answered, whether or not the product got that answer. */
  sent: number;
  at: number;
};

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

const NO_WEBHOOK_FAULTS: WebhookChances = { drop: 0, fail: 0, double: 0, delayMs: 0 };
const SLOWEST_MS = 2_000;
const WEBHOOK_PATH = '/api/github/webhooks';

/**
 * A proxy between the product and GitHub, in both directions, that injects the faults of networks and of GitHub.
 * Without `storm` it forwards everything unchanged.
 *
 * @param random Returns numbers from 0 to 1, which choose the faults.
 */
export async function startFaultProxy(random: () => number) {
  const agent = new Agent({ keepAlive: true });
  const faults: Record<string, number> = {};
  const requests: string[] = [];
  const runWrites: RunWrite[] = [];
  const reviewWrites: ReviewWrite[] = [];
  const late = new Set<Promise<void>>();
  let origins = { github: '', product: '' };
  let api: Partial<ApiChances> = {};
  let webhooks = NO_WEBHOOK_FAULTS;
  const count = (fault: string) => {
    faults[fault] = (faults[fault] ?? 0) + 1;
  };

  const answerOf = async (req: IncomingMessage, body: Buffer, origin: string): Promise<Answer> => {
    const { hostname, port } = new URL(origin);
    const options = { agent, hostname, port, method: req.method, path: req.url, headers: req.headers };
    return new Promise((resolve, reject) => {
      const sent: ClientRequest = request(options, (answer) => {
        buffer(answer).then(
          (read) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: read }),
          reject,
        );
      });
      sent.once('error', reject);
      sent.end(body);
    });
  };

  const send = (res: ServerResponse, { status, headers, body }: Answer) => {
    const { 'transfer-encoding': _chunked, connection: _connection, ...kept } = headers;
    for (const name of ['link', 'location'] as const) {
      const value = kept[name];
      // Links to further pages must lead through this proxy too.
      if (value !== undefined) kept[name] = String(value).replaceAll(origins.github, githubUrl);
    }
    res.writeHead(status, { ...kept, 'content-length': body.length } as OutgoingHttpHeaders).end(body);
  };
  const refuse = (res: ServerResponse, status: number, message: string, headers: OutgoingHttpHeaders = {}) =>
    res
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ message }));

  const drawFault = (): keyof ApiChances | undefined => {
    let drawn = random();
    for (const [fault, chance] of Object.entries(api) as [keyof ApiChances, number][]) {
      if (drawn < chance) return fault;
      drawn -= chance;
    }
    return undefined;
  };

  const toGitHub = async (req: IncomingMessage, res: ServerResponse) => {
    const asked = `${req.method} ${req.url}`;
    requests.push(asked);
    const body = await buffer(req);
    const sent = Date.now();
    const fault = drawFault();
    if (fault) count(fault);
    if (fault === 'cutBefore') res.destroy();
    else if (fault === 'failBefore') refuse(res, 502, 'Server Error');
    else if (fault === 'limited') {
      const message = 'You have exceeded a secondary rate limit. Please wait a few minutes.';
      refuse(res, 403, message, { 'retry-after': '1' });
    } else {
      if (fault === 'slow') await new Promise((go) => setTimeout(go, random() * SLOWEST_MS));
      const answer = await answerOf(req, body, origins.github);
      if (/^(POST|PATCH) .*\/check-runs(\/|$)/.test(asked) && answer.status < 300) {
        const run = JSON.parse(answer.body.toString()) as RunWrite['run'];
        runWrites.push({ isNew: req.method === 'POST', sent, at: Date.now(), run });
      }
      const [, reviewed] = /^POST .*\/actions\/runs\/(\d+)\/deployment_protection_rule$/.exec(asked) ?? [];
      if (reviewed && answer.status < 300) {
        const { environment_name: environment, state } = JSON.parse(body.toString());
        reviewWrites.push({ run: Number(reviewed), environment, state, sent, at: Date.now() });
      }
      if (fault === 'cutAfter') res.destroy();
      else if (fault === 'failAfter') refuse(res, 502, 'Server Error');
      else send(res, answer);
    }
  };

  /** GitHub already has a successful response, so a failure here loses the webhook. */
  const deliverLate = (req: IncomingMessage, body: Buffer) => {
    const wait = random() * webhooks.delayMs;
    const delivery = new Promise((go) => setTimeout(go, wait))
      .then(() => answerOf(req, body, origins.product))
      .then(
        ({ status }) => count(status < 300 ? 'webhook late' : 'webhook lost'),
        () => count('webhook lost'),
      )
      .then(() => void late.delete(delivery));
    late.add(delivery);
  };

  const toProduct = async (req: IncomingMessage, res: ServerResponse) => {
    const body = await buffer(req);
    if (req.url !== WEBHOOK_PATH || webhooks === NO_WEBHOOK_FAULTS) {
      send(res, await answerOf(req, body, origins.product));
      return;
    }
    const drawn = random();
    if (drawn < webhooks.drop) {
      count('webhook dropped');
      refuse(res, 200, 'ok');
    } else if (drawn < webhooks.drop + webhooks.fail) {
      count('webhook failed');
      refuse(res, 502, 'Bad Gateway');
    } else {
      deliverLate(req, body);
      if (random() < webhooks.double) {
        count('webhook doubled');
        deliverLate(req, body);
      }
      refuse(res, 202, 'ok');
    }
  };

  const guarded =
    (handle: typeof toGitHub): RequestListener =>
    (req, res) =>
      void handle(req, res).catch(() => res.destroy());

  const apiSide = await listenOnLoopback(guarded(toGitHub), 0);
  const publicSide = await listenOnLoopback(guarded(toProduct), 0);
  const githubUrl = `http://localhost:${apiSide.port}`;

  return {
    /** GitHub's origin for the product. */
    githubUrl,
    /** The product's origin for GitHub and for people. */
    publicUrl: `http://localhost:${publicSide.port}`,
    /** How often each fault was injected. */
    faults,
    /** The product's requests to GitHub, such as `GET /repos/octo-org/hello/pulls`; a test may empty the list. */
    requests,
    /** All check runs that GitHub wrote for the product, in the order of its answers. */
    runWrites,
    /** All reviews of deployments that GitHub took, in the order of its answers. */
    reviewWrites,
    /** Sets the real origins of both. */
    connect: (given: typeof origins) => {
      origins = given;
    },
    /** Injects random faults from now on. */
    storm: (chances: { api?: Partial<ApiChances>; webhooks?: Partial<WebhookChances> }) => {
      api = chances.api ?? {};
      webhooks = { ...NO_WEBHOOK_FAULTS, ...chances.webhooks };
    },
    /** Ends all faults. */
    calm() {
      api = {};
      webhooks = NO_WEBHOOK_FAULTS;
    },
    /** Resolves when all late webhooks are delivered. */
    async settled() {
      while (late.size > 0) await Promise.all(late);
    },
    async close() {
      await apiSide.close();
      await publicSide.close();
      agent.destroy();
    },
  };
}
