import type { ReceivedMail } from '../mail-sink.ts';
import type { Actions } from './actions/actions.ts';
import type { AppKey } from './app-jwt.ts';
import type { ReadApp } from './app-object.ts';
import type { Checks } from './checks.ts';
import type { Credentials } from './credentials.ts';
import type { EmulatorClient } from './emulator-client.ts';
import type { AppAccess, FormerNames } from './github-objects.ts';
import type { Installations } from './installations.ts';
import type { Protections } from './protections.ts';
import type { PullOverlay } from './pull-overlay.ts';
import type { Rates } from './rate-limits.ts';
import type { Roles } from './roles.ts';
import type { RuleSuites } from './rule-suites.ts';
import type { Rulesets } from './rulesets.ts';
import type { Addresses, SpeaksAs } from './speaks-as.ts';
import type { Tokens } from './tokens.ts';
import type { Webhooks } from './webhooks.ts';

/** The dependencies of the local GitHub's routes. */
export type RouteDeps = Addresses & {
  speaksAs: SpeaksAs;
  credentials: Credentials;
  appKey: AppKey;
  /** The App's setup URL, to which GitHub sends people after an installation. */
  setupUrl: string;
  /** The App's private key in PEM, for the App's registration. */
  privateKey: string;
  emulator: EmulatorClient;
  pullOverlay: PullOverlay;
  tokens: Tokens;
  installations: Installations;
  readApp: ReadApp;
  checks: Checks;
  /** Whether a workflow of GitHub Actions runs on each push. */
  hasWorkflow: boolean;
  formerNames: FormerNames;
  rulesets: Rulesets;
  protections: Protections;
  ruleSuites: RuleSuites;
  /** The organizations that require single sign-on, by id, with their logins. */
  behindSso: Map<number, string>;
  /** The permissions and events that the App requests from every account. */
  requested: AppAccess;
  webhooks: Webhooks;
  actions: Actions;
  rates: Rates;
  roles: Roles;
  /** The mail that the product sent; undefined if it goes to a real mail server. */
  mails: (() => readonly ReceivedMail[]) | undefined;
};
