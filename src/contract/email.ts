import { z } from 'zod';
import { githubId, textLike } from './fields.ts';

/** Octets. RFC 5321 sections 4.5.3.1.3 (without the angle brackets) and 4.5.3.1.1. */
export const LONGEST_ADDRESS = 254;
const LONGEST_LOCAL_PART = 64;

const NO_ADDRESS = 'Enter an e-mail address, such as mona@example.org.';

/** The parts of a local part between its dots: RFC 5322's atext, and letters, digits and symbols of any script. */
const ATOM = "[\\p{L}\\p{M}\\p{N}\\p{So}!#$%&'*+/=?^_`{|}~-]+";
/** RFC 1035 section 2.3.1, in any script. */
const DOMAIN_LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?';
/** The last label begins with a letter, so that no notation of an IP address passes as a domain. */
const ADDRESS = new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${DOMAIN_LABEL}\\.)+(?=\\p{L})${DOMAIN_LABEL}$`, 'u');

const TOO_LONG = `Enter an e-mail address of at most ${LONGEST_ADDRESS} characters.`;

const octets = (text: string) => new TextEncoder().encode(text).length;

/**
 * Exactly one address: no list, name, comment, quoted part or control
 * character, and nothing that could become another header. The domain may be in
 * any script.
 */
export const emailAddress = z
  .string({ error: NO_ADDRESS })
  .trim()
  .refine((address) => octets(address) <= LONGEST_ADDRESS, { error: TOO_LONG, abort: true })
  .regex(ADDRESS, { error: NO_ADDRESS })
  .refine((address) => octets(address.slice(0, address.lastIndexOf('@'))) <= LONGEST_LOCAL_PART, {
    error: NO_ADDRESS,
  });

/** `POST /github-precheck-email` */
export const emailPrecheck = z.object({
  email: emailAddress,
  /** The organization that the code enrols in, in its mode `email`; without it, the code is for the address of notices. */
  orgID: githubId('missing organization id').optional(),
});

/** `ts` is when the code was sent, in milliseconds since 1970. `sig` binds the address, time, person and code. */
export type EmailPrecheckAnswer = { ts: number; sig: string };

const STALE = 'This page is too old. Request a new code.';

/** `POST /github-confirm-email`: an address and the code that was sent there, with the answer of the precheck. */
export const emailCodeProof = z.object({
  email: emailAddress,
  ts: z.coerce.number<number | string>({ error: STALE }).int({ error: STALE }).positive({ error: STALE }),
  sig: textLike(/^[A-Za-z0-9_-]{43}$/, STALE),
  code: z
    .string({ error: 'Enter the 6 digits from the e-mail.' })
    .trim()
    .regex(/^[0-9]{6}$/, { error: 'Enter the 6 digits from the e-mail.' }),
});

export type EmailCodeProof = z.infer<typeof emailCodeProof>;
