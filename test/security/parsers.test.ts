import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parser } from 'commonmark';
import fc from 'fast-check';
import nock from 'nock';
import { deliverableAddress } from '../../src/adapters/mail/smtp.ts';
import { codeSpan, escapeText, markdownLink } from '../../src/approvals/check-run/markdown.ts';
import { parseSecret, stepOfCode } from '../../src/authenticators/codes/totp.ts';
import { verifyRegistration } from '../../src/authenticators/register/verify-registration.ts';
import { MailRefused } from '../../src/notices/ports.ts';
import { tokenOf as tokenOfHeader } from '../../src/people/session.ts';
import { isKnownKey } from '../../src/proofs/cose-key.ts';
import { parseClientData } from '../../src/proofs/verify-statement.ts';
import { AppError } from '../../src/shared/app-error.ts';
import { safeUrl } from '../../web/src/lib/address/safe-url.ts';
import { SoftwareAuthenticator } from '../support/authenticator.ts';
import { calls } from '../support/every-room.ts';
import { RELYING_PARTY } from '../support/fakes.ts';
import { APP, startBot } from '../webhooks/bot.ts';
import { words } from './choices.ts';
import { call, createWorld, ORIGIN, PEOPLE, pullAt, tokenOf, type World } from './world.ts';

// Every parser that a stranger can reach, with random input: it refuses, and never breaks.

const RUNS = Number(process.env.FUZZ_RUNS ?? 1_000);
const often = { numRuns: RUNS };

const [mona] = PEOPLE as [(typeof PEOPLE)[number]];
const target = {
  installation: 5,
  owner: 'octo-org',
  ownerID: 9,
  repo: 'hello',
  pr: 1,
  head: pullAt(1, 0).head,
};
/** The facts of that pull request which are stored with an approval. */
const SIGNED = { orgId: 9, repoId: 42, pr: 1, githubId: 11 };

/** Any text that a client can send, with the characters that parsers stumble over. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'/\\%.:@?#&=<>"\'`[]()*_~|\r\n\t\0 ２{}$-a1é\u202e') }),
);

/** The value with one part of it replaced by anything. */
const withOneChange = <T extends object>(value: T) =>
  fc.tuple(fc.constantFrom(...pathsIn(value)), fc.jsonValue()).map(([path, replacement]) => {
    const copy = structuredClone(value) as Record<string, never>;
    const parent = path.slice(0, -1).reduce<Record<string, never>>((at, key) => at[key] as never, copy);
    parent[path.at(-1) as string] = replacement as never;
    return copy as unknown;
  });

function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    [key],
    ...pathsIn(part).map((path) => [key, ...path]),
  ]);
}

async function anApproval(world: World) {
  const [holding] = world.holdings;
  const head = world.pulls.all?.[0]?.head ?? '';
  const body = { ...target, head, accessToken: tokenOf(mona) };
  const asked = (await call(world, '/github-check-webauthn-params', mona, body)) as {
    options: { challenge: string };
  };
  // A counter of 0 never rises, so that only the signature decides.
  const authResponse = holding?.key.get(asked.options, { counter: 0 }) as object;
  return { params: { ...target, head }, authResponse, accessToken: tokenOf(mona) };
}

const WITHOUT_NEEDED_FIELDS = ['/logout', '/inbox', '/notice-choice'];

describe('a product call', () => {
  it.each(calls.map(({ path }) => path))('refuses any body that is not its own: %s', async (path) => {
    const world = await createWorld();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (body) => {
        const answer = await call(world, path, mona, body);
        if (!(answer instanceof Error)) return expect(WITHOUT_NEEDED_FIELDS).toContain(path);
        expect(answer).toBeInstanceOf(AppError);
        const { status, code } = answer as AppError;
        if (path === '/inbox' && code === 'missingAuthToken') return;
        expect(status).toBe(400);
      }),
      { numRuns: RUNS / 10 },
    );
  });

  it('never takes a signed approval with a changed part for the signed one', async () => {
    const world = await createWorld();
    const approval = await anApproval(world);
    const bytesOf = (body: unknown) =>
      ['clientDataJSON', 'authenticatorData', 'signature'].map((part) => {
        const { response } = (body as typeof approval).authResponse as { response: Record<string, unknown> };
        return Buffer.from(String(response?.[part]), 'base64url').toString('hex');
      });
    await fc.assert(
      fc.asyncProperty(withOneChange(approval), async (body) => {
        world.challenges.consumed.clear();
        const before = world.approvals.stored.length;
        const answer = await call(world, '/github-check-webauthn', mona, body);
        if (answer instanceof Error) {
          expect(answer).toBeInstanceOf(AppError);
          expect(world.approvals.stored).toHaveLength(before);
          return;
        }
        // Base64url has several spellings of the same bytes, and some members aren't signed.
        expect(bytesOf(body)).toEqual(bytesOf(approval));
        // Whatever the parameters say, what is stored is what was signed.
        const { head } = approval.params;
        expect(world.approvals.stored.at(-1)).toMatchObject({ ...SIGNED, head });
      }),
      often,
    );
  });

  it('never breaks over a registration with changed bytes, and accepts no key that is none', async () => {
    const response = new SoftwareAuthenticator(ORIGIN).create({ challenge: 'AAAA' });
    const attestation = Buffer.from(response.response.attestationObject, 'base64url');
    const changed = fc.tuple(fc.nat(attestation.length - 1), fc.integer({ min: 1, max: 255 }), fc.nat(40));
    await fc.assert(
      fc.asyncProperty(changed, async ([at, change, cut]) => {
        const bytes = Buffer.from(attestation.subarray(0, attestation.length - (cut > 30 ? cut : 0)));
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ change;
        const attestationObject = bytes.toString('base64url');
        const sent = { ...response, response: { ...response.response, attestationObject } };
        // Nothing signs the bytes of this attestation, so some changes make another good registration.
        const outcome = await verifyRegistration(RELYING_PARTY, sent as never, 'AAAA').catch(
          (error) => error,
        );
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError);
        else expect(isKnownKey(outcome.info.credential.publicKey)).toBe(true);
      }),
      often,
    );
  });
});

describe('a parser at the edge', () => {
  it('finds no token, client data, secret or code in random text, and never breaks', () => {
    const secret = new Uint8Array(20).fill(7);
    fc.assert(
      fc.property(text, (given) => {
        expect(String(tokenOfHeader(given))).not.toMatch(/^Bearer\s/i);
        expect(parseClientData(Buffer.from(given).toString('base64url'))).toBeNull();
        expect(parseSecret(given)?.length ?? 16).toBeGreaterThanOrEqual(16);
        if (stepOfCode(secret, given, new Date()) !== null) expect(given).toMatch(/^[0-9]{6}$/);
      }),
      often,
    );
  });

  it('follows no address but a page of the dashboard or one on GitHub', () => {
    const origins = { origin: ORIGIN, github: 'https://github.com' };
    const parts = words(
      '/ // \\ . .. @ : %2f %5c %25 https: http: github.com evil.example javascript: a ? # ｇ %2e',
    );
    const part = fc.oneof(fc.constantFrom(...parts, 'guard.example.org', '\t', '\n', '\0', ' '), text);
    const addresses = fc.array(part, { maxLength: 7 }).map((all) => all.join(''));
    fc.assert(
      fc.property(addresses, (address) => {
        const safe = safeUrl(address, origins);
        if (safe === null) return;
        const landing = new URL(safe, `${ORIGIN}/register?x=y`);
        expect([ORIGIN, 'https://github.com']).toContain(landing.origin);
        expect([landing.username + landing.password, safe.startsWith('//')]).toEqual(['', false]);
        expect(safeUrl(safe, origins)).toBe(safe);
      }),
      { numRuns: RUNS * 5 },
    );
  });

  it('writes names into Markdown that stay text', () => {
    const kinds = (markdown: string) => {
      const walker = new Parser().parse(markdown).walker();
      const found: string[] = [];
      for (let event = walker.next(); event; event = walker.next())
        if (event.entering) found.push(event.node.type);
      return found.filter((type) => type !== 'text' && type !== 'softbreak');
    };
    fc.assert(
      fc.property(
        text.filter((name) => name.trim() !== ''),
        (name) => {
          expect(kinds(`By ${escapeText(name)}.`)).toEqual(['document', 'paragraph']);
          expect(kinds(`Into ${codeSpan(name)}.`)).toEqual(['document', 'paragraph', 'code']);
          expect(kinds(`See ${markdownLink(escapeText(name), 'https://github.com')}.`)).toEqual([
            'document',
            'paragraph',
            'link',
          ]);
        },
      ),
      often,
    );
  });

  it('sends mail to exactly one address, without a line break in it', () => {
    const addresses = fc.oneof(
      text,
      fc.emailAddress(),
      fc.tuple(fc.emailAddress(), text).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(addresses, (address) => {
        try {
          expect(deliverableAddress(address)).toMatch(/^[^\s,;<>@\p{C}]+@[^\s,;<>@\p{C}]+$/u);
        } catch (error) {
          if (!(error instanceof MailRefused)) throw error;
        }
      }),
      often,
    );
  });
});

describe('a webhook', () => {
  beforeAll(() => nock.disableNetConnect());
  afterAll(() => nock.restore());

  const sign = (body: string) =>
    `sha256=${createHmac('sha256', APP.webhookSecret).update(body).digest('hex')}`;

  it('with any payload breaks nothing: what it cannot be processed for is redelivered', async () => {
    const { receive } = await startBot();
    // Other actions are answered without any work.
    const handled = fc.constantFrom(
      ['pull_request', 'opened'],
      ['pull_request', 'closed'],
      ['merge_group', 'checks_requested'],
      ['installation', 'created'],
      ['repository', 'renamed'],
      ['organization', 'renamed'],
    );
    let worked = 0;
    let count = 0;
    await fc.assert(
      fc.asyncProperty(handled, fc.jsonValue(), async ([event = '', action], payload) => {
        const isObject = typeof payload === 'object' && !Array.isArray(payload);
        const body = JSON.stringify(isObject ? { ...payload, action } : payload);
        count += 1;
        const received = await receive({ id: `d-${count}`, event, signature: sign(body), body });
        if (received.outcome !== 'accepted') return;
        expect([true, false]).toContain(await received.work);
        worked += 1;
      }),
      { numRuns: RUNS / 10 },
    );
    expect(worked).toBeGreaterThan(0);
  });
});
