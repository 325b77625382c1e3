import { randomBytes, randomUUID } from 'node:crypto';
import { BOTS } from './bots.ts';

/** The App of the local GitHub. The id is arbitrary. */
export const APP = { id: 314159, slug: 'otp-guard', name: 'OTP Guard' } as const;

/** GitHub Actions, which every repository has. The id is the real one. */
export const ACTIONS = { id: 15_368, slug: 'github-actions', name: 'GitHub Actions' } as const;

/** A machine that no list of agents has. */
export const AGENT = 'agent[bot]';

/** The secrets of one run of the local GitHub. */
export type Credentials = {
  clientID: string;
  clientSecret: string;
  webhookSecret: string;
  /** A personal token of octocat, for people and tests. */
  adminToken: string;
  /** Personal tokens of octocat and mona for use inside this process. */
  serviceTokens: readonly string[];
  monaToken: string;
  /** The tokens of the machines, by login. */
  botTokens: Record<string, string>;
  /** The path to which the emulator posts its events; it is secret, so that nobody else can post there. */
  webhookPath: string;
};

const secret = (prefix: string) => `${prefix}${randomBytes(24).toString('hex')}`;

/** Creates new secrets: no two runs share one. */
export function createCredentials(): Credentials {
  return {
    clientID: `Iv23li${randomBytes(7).toString('hex')}`,
    clientSecret: randomBytes(20).toString('hex'),
    webhookSecret: randomBytes(32).toString('hex'),
    adminToken: secret('ghp_'),
    // The emulator allows each token 5,000 requests an hour, and our routes send more than that.
    serviceTokens: Array.from({ length: 50 }, () => secret('svc_')),
    monaToken: secret('svc_'),
    botTokens: Object.fromEntries([AGENT, ...Object.keys(BOTS)].map((login) => [login, secret('svc_')])),
    webhookPath: `/_local/events/${randomUUID()}`,
  };
}
