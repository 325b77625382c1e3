import { z } from 'zod';

/** RFC 5321 section 4.5.3.1.3, without the angle brackets; and section 4.5.3.1.1. */
export const LONGEST_ADDRESS = 254;

const NO_ADDRESS = 'Enter an e-mail address, such as mona@example.org.';

/**
 * One address and nothing else: no list, no name, no comment, no quoted part,
 * no control character, nothing that a header could be made of. A domain may
 * be written in any script.
 */
export const emailAddress = z
  .string({ error: NO_ADDRESS })
  .trim()
  .max(LONGEST_ADDRESS, { error: `Enter an e-mail address of at most ${LONGEST_ADDRESS} characters.` })
  .regex(
    /^[^\s\p{C}\p{Z}@,;:<>()[\]\\"']{1,64}@[^\s\p{C}\p{Z}@,;:<>()[\]\\"'/_]+\.[^\s\p{C}\p{Z}@,;:<>()[\]\\"'/_.]+$/u,
    {
      error: NO_ADDRESS,
    },
  )
  .refine((address) => !/\.\.|^\.|\.@|@[.-]|-\.|-$|\.-/.test(address), { error: NO_ADDRESS });

/** `POST /github-precheck-email` */
export const emailPrecheck = z.object({ email: emailAddress });

/** `ts`: milliseconds since 1970, when the code was sent. `sig` binds address, time, person and code together. */
export type EmailPrecheckAnswer = { ts: number; sig: string };

const STALE = 'Ask for a new code: this page is too old.';

/** `POST /github-confirm-email` */
export const emailConfirmation = z.object({
  email: emailAddress,
  ts: z.coerce.number({ error: STALE }).int({ error: STALE }).positive({ error: STALE }),
  sig: z.string({ error: STALE }).regex(/^[A-Za-z0-9_-]{43}$/, { error: STALE }),
  code: z
    .string({ error: 'Enter the 6 digits from the e-mail.' })
    .trim()
    .regex(/^[0-9]{6}$/, { error: 'Enter the 6 digits from the e-mail.' }),
});
