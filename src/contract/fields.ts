import { z } from 'zod';

/**
 * The fields of the product's calls. Each takes the sentence that the caller
 * reads if it is missing or malformed.
 */

/** A person's token of GitHub. GitHub documents no length; its newest tokens have about 520 characters. */
export const accessToken = z.string().max(4096);

/** A GitHub id: a whole number above 0, as a JSON number or as decimal digits. */
export const githubId = (text: string) =>
  z.unknown().transform((value, context) => {
    const id = typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : value;
    if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return id;
    context.addIssue({ code: 'custom', message: text });
    return z.NEVER;
  }) as z.ZodType<number, number | string>;

/** GitHub's id of an account, and its login at the time. */
export const account = z.object({ id: z.number(), login: z.string() });

/** A text of this form. */
export const textLike = (form: RegExp, text: string) =>
  z.string({ error: text }).regex(form, { error: text });

/** A full commit hash, SHA-1 or SHA-256, in lower-case hex digits. */
export const commitSha = (text: string) => textLike(/^([0-9a-f]{40}|[0-9a-f]{64})$/, text);

/**
 * The form of GitHub's logins; whether an account has one, only GitHub knows. Enterprise managed users carry an
 * underscore, and old accounts begin or end with a hyphen, or have two in a row.
 */
export const LOGIN = /^[A-Za-z0-9_-]{1,100}$/;

/** The login of a GitHub account. */
export const accountLogin = (text: string) => textLike(LOGIN, text);

/** The organization that a call is about. */
export const organization = {
  org: accountLogin('Missing organization'),
  orgID: githubId('missing organization id'),
};

/** The organization that a call is about, and the person's own token of GitHub. */
export const organizationFields = { ...organization, accessToken: accessToken.optional() };

/** The name of a repository without its owner; `.` and `..` aren't names. */
export const repositoryName = (text: string) => textLike(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/, text);

/** The name of a branch; GitHub's names have at most 255 bytes. */
export const branchName = (text: string) => textLike(/^\P{Cc}{1,255}$/u, text);

/** The name that a person gives an authenticator: 1 to 100 characters without control characters. */
export const label = (text: string) =>
  z
    .string({ error: text })
    .trim()
    .min(1, { error: text })
    // Half a surrogate pair isn't a character.
    .refine((value) => !/\p{Surrogate}/u.test(value), { error: text })
    .refine((value) => Array.from(value).length <= 100, { error: 'Enter a label of at most 100 characters.' })
    .regex(/^\P{Cc}*$/u, { error: 'Enter a label without control characters.' });

/** The `next` of the page before. */
export const after = z.string().max(100).optional();

/** A part of a name, for a list. */
export const search = z.string().max(100, { error: 'Search for at most 100 characters.' }).optional();

/** The id of a record in the record store. */
export const recordId = (text: string) => textLike(/^[a-z0-9]{15}$/, text);

/** An object, or its JSON text (a form field can only contain text). */
export const objectOf = <T extends z.ZodType>(schema: T): z.ZodType<z.output<T>, z.input<T> | string> =>
  z.preprocess<unknown, T, z.input<T> | string>(
    (value) => (typeof value === 'string' ? parseJson(value) : value),
    schema,
  );

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const base64url = (text: string) => textLike(/^[A-Za-z0-9_-]{1,32768}$/, text);

/** A user handle. Clients without one leave it out, or send null or, as Safari does, an empty text: it's dropped then. */
const userHandle = (text: string) =>
  z
    .union([base64url(text), z.literal('')], { error: text })
    .nullish()
    .transform((handle) => handle || undefined);

/** The ways in which a browser reaches an authenticator: WebAuthn Level 3, section 5.8.4. */
const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** The transports in a list that a client sent or that was stored, each once: a hint, so what isn't one is dropped. */
export const knownTransports = (list: unknown): string[] =>
  Array.isArray(list) ? TRANSPORTS.filter((transport) => list.includes(transport)) : [];

/**
 * The result of a ceremony around its `response`. Unknown members are dropped, and members that a client may leave out
 * can be null.
 */
const publicKeyCredential = <T extends z.ZodRawShape>(text: string, response: T) =>
  objectOf(
    z.object(
      {
        id: base64url(text),
        rawId: base64url(text),
        type: z.literal('public-key', { error: text }),
        response: z.object(response, { error: text }),
        // An unknown one counts as none: WebAuthn Level 3, section 5.1.
        authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
        // We read no extensions, so nothing that a client sends here is kept.
        clientExtensionResults: z
          .unknown()
          .optional()
          .transform(() => ({})),
      },
      { error: text },
    ),
  );

/** `AuthenticationResponseJSON` of WebAuthn Level 3, section 5.1.10. */
export const authenticationResponse = (text: string) =>
  publicKeyCredential(text, {
    clientDataJSON: base64url(text),
    authenticatorData: base64url(text),
    signature: base64url(text),
    userHandle: userHandle(text),
  });

/** What a client sends of an assertion. */
export type SentAssertion = z.input<ReturnType<typeof authenticationResponse>>;

/** `RegistrationResponseJSON` of WebAuthn Level 3, section 5.1.8. */
export const registrationResponse = (text: string) =>
  publicKeyCredential(text, {
    clientDataJSON: base64url(text),
    attestationObject: base64url(text),
    transports: z.unknown().optional().transform(knownTransports),
  });
