import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import { sha256 } from '../../shared/crypto.ts';

const COOKIE = 'otp-guard-set-up';

/**
 * `Lax`, because the way back from GitHub is a cross-site navigation. A browser sends cookies to every port of a host,
 * so the path keeps this one from other servers on this machine.
 */
const COOKIE_OPTIONS: CookieOptions = { httpOnly: true, sameSite: 'lax', path: '/set-up' };

/** 256 bits that nobody can guess, for an address or a cookie. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

export type Admission = ReturnType<typeof createAdmission>;

/** Admits one browser to the set-up: the first to open the printed address. */
export function createAdmission(token: string) {
  let admitted: string | null = null;

  const isAdmitted = (request: Request) => admitted !== null && isSame(cookieOf(request) ?? '', admitted);

  return {
    isAdmitted,

    /** Tells whether this is the printed address, and no other browser opened it before. Sets the cookie. */
    admit(request: Request<{ token: string }>, response: Response): boolean {
      if (!isSame(request.params.token, token)) return false;
      if (isAdmitted(request)) return true;
      // A HEAD request comes from a program that previews links, and must not take the browser's place.
      if (admitted !== null || request.method !== 'GET') return false;
      admitted = randomToken();
      response.cookie(COOKIE, admitted, COOKIE_OPTIONS);
      return true;
    },
  };
}

/** Allows only the printed host: another name that leads here is an attacker's (DNS rebinding). */
export function requireHost(origin: string): RequestHandler {
  return (request, response, next) => {
    if (request.headers.host === new URL(origin).host) next();
    else response.status(404).end();
  };
}

/** Tells whether a form comes from our own page: every browser sends `Origin` with a form. */
export function isOwnForm(request: Request, origin: string): boolean {
  const site = request.get('sec-fetch-site');
  return request.get('origin') === origin && (site === undefined || site === 'same-origin');
}

function cookieOf(request: Request): string | undefined {
  const cookies = (request.headers.cookie ?? '').split(';').map((one) => one.trim());
  return cookies.find((one) => one.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}

/** Compares in constant time, for any lengths. */
const isSame = (one: string, other: string) => timingSafeEqual(sha256(one), sha256(other));
