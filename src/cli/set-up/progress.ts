/** The addresses that the operator should check before the App is registered. */
export type Facts = {
  publicUrl: string;
  /** Where GitHub will send webhooks. */
  webhookUrl: string;
  /** The origin of GitHub's pages. */
  serverUrl: string;
};

/** The account that the App is installed on. `org` is null until a webhook or a reconciliation stored it. */
export type SetUpAccount = { installation: number; login: string; org: { id: string; orgId: number } | null };

/** A part of the protection that is left open, as a sentence. */
export type SetUpLeftOpen = { part: string; text: string; decision: string };

/** How far the set-up is, as the product's own records and GitHub show it now. */
export type SetUpState = {
  account: SetUpAccount | null;
  hasWebhook: boolean;
  /** Whether an owner has an authenticator that counts. */
  hasOwner: boolean;
  /** How a first authenticator gets in, and whether an owner ever saved a policy. */
  enrolment: { mode: string; isChosen: boolean };
  /** What the account leaves open although a repository requires the check. */
  leftOpen: SetUpLeftOpen[];
  /** Whether a repository requires the check from this App. */
  isRequired: boolean;
  /** Whether a pull request waits, or was approved. */
  hasPull: boolean;
};

/** Everything but the choice of enrolment, which can come later: the last page says that it's open. */
export const isComplete = ({ account, hasWebhook, hasOwner, isRequired, hasPull }: SetUpState): boolean =>
  account !== null && hasWebhook && hasOwner && isRequired && hasPull;

/** The ruleset file for the account, the page on GitHub that imports it, and the file for one repository. */
export type SetUpRuleset = { ruleset: object; repository: object; importUrl: string };

/** The running product, as far as the set-up looks at it. */
export type SetUpProduct = {
  /** The page on GitHub that installs the App. */
  installUrl: string;
  readState(): Promise<SetUpState>;
  /** Null if the App isn't installed any more. */
  readRuleset(installation: number): Promise<SetUpRuleset | null>;
};

/**
 * Where the set-up is: before the App, while the product starts, in the steps that follow, or over. When it's over, only
 * the browser that was admitted sees the last page.
 */
export type Progress =
  | { phase: 'register' }
  | { phase: 'starting'; installUrl: string | null }
  | { phase: 'steps'; product: SetUpProduct }
  | { phase: 'done'; state: SetUpState };
