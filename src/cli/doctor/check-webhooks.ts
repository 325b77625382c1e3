import { type Found, note, ok, problem } from './finding.ts';

export type HookConfig = { url: string; hasSecret: boolean; isJson: boolean; verifiesTls: boolean };
/** One of GitHub's attempts; `status` is what the receiver answered, 0 if nothing. */
export type Delivery = { at: Date; status: number };

export type WebhookDeps = {
  /** Where GitHub should send them. */
  expectedUrl: string;
  /** GitHub's page with the App's settings. */
  readConfig(): Promise<HookConfig>;
  /** The newest first. */
  readDeliveries(): Promise<Delivery[]>;
};

/** Whether GitHub sends webhooks to us, with a secret, and whether the last ones were accepted. */
export async function checkWebhooks(deps: WebhookDeps): Promise<Found[]> {
  const [config, deliveries] = await Promise.all([deps.readConfig(), deps.readDeliveries()]);
  const wrong = configFaults(config, deps.expectedUrl);
  return [...wrong, ...deliveryFaults(deliveries, wrong.length === 0)];
}

function configFaults({ url, hasSecret, isJson, verifiesTls }: HookConfig, expected: string): Found[] {
  const where = "in the App's settings on GitHub, under Webhook";
  return [
    url !== expected && problem(`GitHub sends webhooks to ${url || 'nowhere'}. Set ${expected} ${where}.`),
    !hasSecret && problem(`Webhooks have no secret. Set WEBHOOK_SECRET ${where}.`),
    !isJson && problem(`Webhooks come as forms. Choose application/json ${where}.`),
    !verifiesTls &&
      expected.startsWith('https:') &&
      note(`GitHub doesn't verify our certificate. Enable SSL verification ${where}.`),
  ].filter((one) => one !== false);
}

function deliveryFaults(deliveries: Delivery[], isSetUp: boolean): Found[] {
  const [newest] = deliveries;
  if (!newest)
    return [note('GitHub has sent no webhook in the last days. Install the App, or open a pull request.')];
  const failed = deliveries.filter(({ status }) => status < 200 || status >= 300).length;
  const isBad = newest.status < 200 || newest.status >= 300;
  const last = `The last of ${deliveries.length} webhooks, ${newest.at.toISOString()},`;
  if (isBad)
    return [
      problem(
        `${last} failed${newest.status > 0 ? ` with ${newest.status}` : ''}. ${newest.status === 401 || newest.status === 400 ? 'Compare WEBHOOK_SECRET with the App’s settings.' : 'Check that GitHub reaches PUBLIC_URL.'}`,
      ),
    ];
  if (failed > 0)
    return [note(`${last} arrived, but ${failed} before it failed. OTP Guard asks for them again.`)];
  return isSetUp ? [ok(`${last} arrived.`)] : [];
}
