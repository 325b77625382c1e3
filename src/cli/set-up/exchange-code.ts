import { z } from 'zod';
import { GITHUB_API_VERSION, type GitHubUrls } from '../../settings/github-config.ts';

const ANSWER_MS = 15_000;

/** Credentials go into a file of settings, so no value may contain a quote, a line break or an escape. */
const plain = z.string().regex(/^[\w.-]{1,255}$/);
const answerSchema = z.object({
  id: z.int().positive(),
  client_id: plain,
  client_secret: plain,
  webhook_secret: plain,
  pem: z.string().regex(/^-----BEGIN [A-Z ]+-----[\w+/=\s-]+$/),
  html_url: z.url(),
});

export type RegisteredApp = {
  /** As `.env` names them. */
  settings: Record<string, string>;
  /** The page on GitHub that installs the App. */
  installUrl: string;
};

/**
 * Exchanges GitHub's code for the credentials of the new App (docs.github.com,
 * "Create a GitHub App from a manifest"). Each code works once, for an hour.
 * `refused`: GitHub doesn't know the code, or no longer. `noAnswer`: the same
 * code may still work.
 */
export async function exchangeCode(
  { apiUrl, serverUrl, answerMs = ANSWER_MS }: GitHubUrls & { answerMs?: number | undefined },
  code: string,
): Promise<RegisteredApp | 'refused' | 'noAnswer'> {
  // Not even sent: it could lead to another path of the API.
  if (!/^[\w.-]{1,255}$/.test(code) || /^\.+$/.test(code)) return 'refused';
  try {
    const answer = await fetch(`${apiUrl}/app-manifests/${code}/conversions`, {
      method: 'POST',
      headers: {
        accept: 'application/vnd.github+json',
        'user-agent': 'otp-guard',
        'x-github-api-version': GITHUB_API_VERSION,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    });
    if (answer.status !== 201) return answer.status === 404 || answer.status === 422 ? 'refused' : 'noAnswer';
    return toApp(answerSchema.parse(await answer.json()), serverUrl);
  } catch {
    return 'noAnswer';
  }
}

function toApp(app: z.infer<typeof answerSchema>, serverUrl: string): RegisteredApp | 'refused' {
  if (new URL(app.html_url).origin !== serverUrl) return 'refused';
  return {
    settings: {
      APP_ID: String(app.id),
      PRIVATE_KEY: app.pem,
      WEBHOOK_SECRET: app.webhook_secret,
      GITHUB_CLIENT_ID: app.client_id,
      GITHUB_CLIENT_SECRET: app.client_secret,
    },
    installUrl: `${app.html_url}/installations/new`,
  };
}
