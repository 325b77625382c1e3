import type { Request, RequestHandler } from 'express';
import { refuse } from './responses.ts';
import type { Addresses } from './speaks-as.ts';

const API =
  /^\/(app|app-manifests|applications|graphql|installation|meta|orgs|rate_limit|repos|repositories|user|users)(?=[/?]|$)/;
const SIGN_ON_PAGE = /^\/orgs\/[^/]+\/sso/;

const isApi = (path: string) => API.test(path) && !SIGN_ON_PAGE.test(path);

/** The request's path in the API; undefined if the request isn't to the API's address. */
function pathInApi({ apiUrl, origin }: Addresses, req: Request) {
  const root = new URL(apiUrl);
  if (apiUrl === origin) return isApi(req.url) ? req.url : undefined;
  if (root.origin !== origin) return req.headers.host === root.host ? req.url : undefined;
  if (/^\/api\/graphql(?=[?]|$)/.test(req.url)) return req.url.slice('/api'.length);
  return req.url.startsWith(`${root.pathname}/`) ? req.url.slice(root.pathname.length) : undefined;
}

/**
 * Answers the API only at its address: on github.com next to the pages, on an Enterprise Server under `/api/v3` and
 * `/api/graphql`, with data residency on a host of its own (GitHub: "Getting started with the REST API").
 */
export function requireApiAddress(deps: Addresses): RequestHandler {
  return (req, res, next) => {
    const path = pathInApi(deps, req);
    if (path === undefined && isApi(req.url)) {
      refuse(res, 404, 'Not Found');
      return;
    }
    req.url = path ?? req.url;
    next();
  };
}

/**
 * The same JSON, with the API's addresses under its root: the emulator has them next to the pages. `text` can also be a
 * header.
 */
export function toApiUrls({ apiUrl, origin }: Addresses, text: string): string {
  if (apiUrl === origin) return text;
  return text
    .split(`${origin}/`)
    .reduce((done, rest) => `${done}${isApi(`/${rest}`) ? apiUrl : origin}/${rest}`);
}
