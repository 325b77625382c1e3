import { readAppManifest } from '../app-manifest.ts';

/** GitHub refuses longer names. */
const LONGEST_NAME = 34;

/** The addresses that the operator should check before the App is registered. */
export type Addresses = {
  publicUrl: string;
  /** Where GitHub will send webhooks. */
  webhookUrl: string;
  /** The origin of GitHub's pages. */
  serverUrl: string;
};

type Registration = Addresses & {
  /** Where GitHub sends the browser after the registration. */
  redirectUrl: string;
  /** The account that will own the App; empty for a personal one. */
  organization: string;
  /** Whether other accounts can install the App too, as a listing on GitHub Marketplace requires. */
  isPublic: boolean;
};

/**
 * The manifest from which GitHub registers the App (docs.github.com,
 * "Registering a GitHub App from a manifest"). Names are unique on GitHub, so
 * the App of an organization carries its name; people can change it on GitHub's page.
 */
export function createManifest(registration: Registration) {
  const { publicUrl, webhookUrl, redirectUrl, organization, isPublic } = registration;
  const app = readAppManifest();
  return {
    ...app,
    name: `${app.name} ${organization}`.slice(0, LONGEST_NAME).trim(),
    public: isPublic,
    url: publicUrl,
    hook_attributes: { url: webhookUrl, active: true },
    redirect_url: redirectUrl,
    callback_urls: [`${publicUrl}/oauth`],
    setup_url: `${publicUrl}/org/repositories`,
  };
}
