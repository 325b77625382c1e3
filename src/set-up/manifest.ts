import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** What OTP Guard asks of GitHub: the only list of its permissions and events. */
const APP_YML = new URL('../../app.yml', import.meta.url);
/** GitHub refuses longer names. */
const LONGEST_NAME = 34;

const appSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  public: z.boolean(),
  setup_on_update: z.boolean(),
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
});

type Addresses = {
  publicUrl: string;
  /** Where GitHub sends webhooks. */
  webhookUrl: string;
  /** Where GitHub sends the browser after the registration. */
  redirectUrl: string;
};

/**
 * The manifest from which GitHub registers the App (docs.github.com,
 * "Registering a GitHub App from a manifest"). Names are unique on GitHub, so
 * the App of an organization carries its name; people can change it on GitHub's page.
 */
export function createManifest({ publicUrl, webhookUrl, redirectUrl }: Addresses, organization: string) {
  const app = appSchema.parse(parse(readFileSync(APP_YML, 'utf8')));
  return {
    ...app,
    name: `${app.name} ${organization}`.slice(0, LONGEST_NAME).trim(),
    url: publicUrl,
    hook_attributes: { url: webhookUrl, active: true },
    redirect_url: redirectUrl,
    callback_urls: [`${publicUrl}/oauth`],
    setup_url: `${publicUrl}/org/repositories`,
  };
}
