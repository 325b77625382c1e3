import type { Probot } from 'probot';
import { onRequested } from '../deployments/review/requested.ts';
import type { BotDeps } from './deps.ts';

/** What this file reads of a payload. GitHub leaves each of them out sometimes, and `deployment` can be null. */
type Requested = {
  environment?: string;
  deployment_callback_url?: string;
  sha?: string;
  deployment?: { sha?: string } | null;
  repository?: { id: number; name: string; owner: { login: string } };
  installation?: { id: number };
};

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** `deployment_protection_rule` events: a job waits for this App before it deploys to an environment. */
export function onDeploymentProtectionRule(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('deployment_protection_rule.requested', async ({ payload }) => {
    const { environment, deployment_callback_url: callbackUrl, ...rest } = payload as Requested;
    const { repository, installation, sha = rest.deployment?.sha } = rest;
    if (!repository || !installation || !environment || !callbackUrl) return;
    const { id, name, owner } = repository;
    const repo = { installation: installation.id, id, owner: owner.login, name };
    const head = sha !== undefined && COMMIT.test(sha) ? sha : null;
    await onRequested(deps, { repo, environment, callbackUrl, head });
  });
}
