/** The addresses that the operator should check before the App is registered. */
export type Facts = {
  publicUrl: string;
  /** Where GitHub will send webhooks. */
  webhookUrl: string;
  /** The origin of GitHub's pages. */
  serverUrl: string;
};

/** What the last page waits for. */
export type Step = 'starting' | 'waiting' | 'done';

/** How far the set-up is. */
export type Progress = { registered: false } | { registered: true; step: Step; installUrl: string };
