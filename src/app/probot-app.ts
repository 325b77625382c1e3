import type { Probot } from 'probot';
import { registerHandlers } from '../bot/handlers.ts';
import type { BotDeps } from '../bot/ports.ts';

/**
 * The Probot app: registers the product's webhook handlers. The product passes their dependencies. Without them, as when
 * `probot receive` loads this file, the app works over a record store of its own, and ends it after the webhook.
 */
export default async function probotApp(
  probot: Pick<Probot, 'on' | 'onAny'>,
  { deps }: { deps?: BotDeps },
): Promise<void> {
  if (deps) return registerHandlers(probot, deps);
  const { startReplay } = await import('./replay.ts');
  const replay = await startReplay();
  registerHandlers(replay.endingAfter(probot), replay.deps);
}
