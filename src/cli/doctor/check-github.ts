import type { Logger } from 'pino';
import { createGitHubApp } from '../../adapters/github/app.ts';
import { createAppRegistration } from '../../adapters/github/app-registration.ts';
import type { Config } from '../../settings/config.ts';
import { systemClock } from '../../shared/clock.ts';
import { readAppManifest } from '../app-manifest.ts';
import { checkApp } from './check-app.ts';
import { checkClock } from './check-clock.ts';
import { checkOrganizations } from './check-organizations.ts';
import { checkReach, type Get } from './check-reach.ts';
import { checkSignIn } from './check-sign-in.ts';
import { checkWebhooks } from './check-webhooks.ts';
import { type Check, note } from './finding.ts';

/** Less than the time that a check has, with one retry. */
const [ANSWER_MS, RETRY_MS] = [4_000, 200];

type Deps = { log: Logger; get: Get; isRunning(): Promise<boolean> };

/** The checks that ask GitHub. */
export function githubChecks(config: Config, { log, get, isRunning }: Deps): Check[] {
  const { github, githubUrls, publicUrl, webhookProxyUrl } = config;
  const githubDate = async () => (await get(githubUrls.apiUrl))?.headers.date ?? null;
  const clock = { name: 'clock', run: () => checkClock({ clock: systemClock, githubDate }) };
  if (!github) {
    const text = 'No App is registered yet. Run otp-guard setup.';
    return [clock, { name: 'App', run: async () => note(text) }];
  }
  const app = createGitHubApp(github, { log, answerMs: ANSWER_MS, retryMs: RETRY_MS });
  const registration = createAppRegistration(app);
  return [
    clock,
    {
      name: 'App',
      run: () => checkApp({ expected: readAppManifest(), readApp: registration.readApp }),
    },
    { name: 'sign-in', run: () => checkSignIn({ trySecret: registration.tryClientSecret }) },
    { name: 'organizations', run: () => checkOrganizations({ ask: registration.askAccounts }) },
    {
      name: 'reach',
      run: () => checkReach({ publicUrl, appId: github.appId, isRunning, get }),
    },
    {
      name: 'webhooks',
      run: () =>
        checkWebhooks({
          expectedUrl: webhookProxyUrl ?? `${publicUrl}/api/github/webhooks`,
          readConfig: registration.readHookConfig,
          readDeliveries: registration.readDeliveries,
        }),
    },
  ];
}
