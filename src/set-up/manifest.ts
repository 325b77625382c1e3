import { readAppManifest } from '../app-manifest.ts';

/** GitHub refuses longer names. */
const LONGEST_NAME = 34;

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
  const app = readAppManifest();
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
