import type { Probot } from 'probot';
import type { BotDeps } from './deps.ts';

/**
 * `marketplace_purchase` events: an account chose, changed or cancelled a plan of the listing on GitHub Marketplace, or
 * will at a time. The operator reads it in the log. Nothing depends on a purchase: access follows the installation.
 */
export function onMarketplacePurchase(probot: Pick<Probot, 'on'>, { log }: Pick<BotDeps, 'log'>): void {
  probot.on('marketplace_purchase', ({ payload }) => {
    const { action, effective_date: effective, marketplace_purchase: now } = payload;
    const before = 'previous_marketplace_purchase' in payload ? payload.previous_marketplace_purchase : null;
    const { id, login, type } = now.account;
    const account = { id, login, type };
    const plans = { plan: now.plan?.name, planBefore: before?.plan?.name };
    log.info(
      { event: 'marketplace_purchase', action, account, ...plans, effective },
      SENTENCES[action] ?? OTHER,
    );
  });
}

const SENTENCES: Record<string, string> = {
  purchased: 'an account took a plan on GitHub Marketplace',
  changed: 'an account changed its plan on GitHub Marketplace',
  cancelled: 'an account cancelled its plan on GitHub Marketplace',
  pending_change: 'an account will change its plan on GitHub Marketplace',
  pending_change_cancelled: 'an account will not change its plan on GitHub Marketplace after all',
};

/** GitHub may add actions. */
const OTHER = 'GitHub Marketplace reports something new about the plan of an account';
