import { randomBytes, randomUUID } from 'node:crypto';

/** The one App of the local GitHub; its numbers mean nothing. */
export const APP = { id: 314159, slug: 'otp-guard', name: 'OTP Guard' } as const;

/** What this start of the local GitHub knows and nobody can guess. */
export type Credentials = {
  clientID: string;
  clientSecret: string;
  webhookSecret: string;
  /** A personal token of octocat, for people and tests. */
  adminToken: string;
  /** Personal tokens of octocat and mona that never leave this process. */
  serviceTokens: readonly string[];
  monaToken: string;
  /** Where the emulator sends its events; it must not be a path that anybody can post to. */
  hookPath: string;
};

const secret = (prefix: string) => `${prefix}${randomBytes(24).toString('hex')}`;

/** Makes new secrets: two starts never share one. */
export function createCredentials(): Credentials {
  return {
    clientID: `Iv23li${randomBytes(7).toString('hex')}`,
    clientSecret: randomBytes(20).toString('hex'),
    webhookSecret: randomBytes(32).toString('hex'),
    adminToken: secret('ghp_'),
    // The emulator allows each token 5,000 requests an hour; the layer asks more often than one person.
    serviceTokens: Array.from({ length: 50 }, () => secret('svc_')),
    monaToken: secret('svc_'),
    hookPath: `/_local/events/${randomUUID()}`,
  };
}
