import type { RequestHandler } from 'express';
import { toApiUrls } from './api-address.ts';
import { beforeHeaders } from './before-headers.ts';
import { asBot, isBot } from './bots.ts';
import type { Addresses } from './speaks-as.ts';

type Account = Record<string, unknown> & { login: string; type?: unknown };

const isAccount = (value: object): value is Account =>
  'login' in value && typeof value.login === 'string' && 'type' in value && 'avatar_url' in value;

/** The URLs of an account that the emulator omits. */
function urlsOf(account: Account, origin: string): Record<string, string> {
  // The name of a bot has brackets.
  const login = encodeURIComponent(account.login);
  const user = `${origin}/users/${login}`;
  return {
    avatar_url: `${origin}/avatars/u/${login}`,
    gravatar_id: '',
    url: user,
    html_url: `${origin}/${login}`,
    followers_url: `${user}/followers`,
    following_url: `${user}/following{/other_user}`,
    gists_url: `${user}/gists{/gist_id}`,
    starred_url: `${user}/starred{/owner}{/repo}`,
    subscriptions_url: `${user}/subscriptions`,
    organizations_url: `${user}/orgs`,
    repos_url: `${user}/repos`,
    events_url: `${user}/events{/privacy}`,
    received_events_url: `${user}/received_events`,
  };
}

/** The same value, with every account in it as complete as GitHub shows it. */
export function completeAccounts(value: unknown, origin: string): unknown {
  if (Array.isArray(value)) return value.map((one) => completeAccounts(one, origin));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => [name, completeAccounts(one, origin)]);
  const completed = Object.fromEntries(members);
  if (!isAccount(value)) return completed;
  const urls = urlsOf(value, origin);
  // The emulator doesn't escape the brackets of a bot.
  return isBot(value) ? asBot({ ...completed, ...urls, login: value.login }) : { ...urls, ...completed };
}

/** Completes the accounts in every JSON answer, including the emulator's. */
export function completeAnswers(deps: Addresses): RequestHandler {
  return (_req, res, next) => {
    beforeHeaders(res, () => {
      const link = res.getHeader('link');
      if (typeof link === 'string') res.setHeader('link', toApiUrls(deps, link));
    });
    const chunks: Buffer[] = [];
    const end = res.end.bind(res) as (body?: Buffer | string) => typeof res;
    const keep = (chunk: unknown) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
    };
    res.write = ((chunk: unknown) => {
      keep(chunk);
      return true;
    }) as typeof res.write;
    res.end = ((chunk?: unknown) => {
      keep(chunk);
      const body = Buffer.concat(chunks);
      const isJson = String(res.getHeader('content-type') ?? '').includes('json');
      if (!isJson || body.length === 0) return chunks.length === 0 ? end() : end(body);
      const completed = completeAccounts(JSON.parse(body.toString('utf8')), deps.origin);
      const text = toApiUrls(deps, JSON.stringify(completed));
      res.removeHeader('transfer-encoding');
      res.setHeader('content-length', Buffer.byteLength(text));
      return end(text);
    }) as typeof res.end;
    next();
  };
}
