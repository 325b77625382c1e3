import type { OutgoingWebhookKind, OutgoingWebhookTestAnswer } from '../contract/outgoing-webhooks.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Person } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import { isDelivered } from './after-try.ts';
import { messageOf } from './message.ts';
import { type OutgoingWebhookDeps, tryAnswer } from './set-outgoing-webhook.ts';

/** One test in this time for each organization, no matter how many owners and sessions it has. */
const TEST_EVERY_MS = 10_000;

/**
 * Sends a test to the organization's outgoing webhook of a kind, for an owner, and says
 * which class of outcome it had. If it succeeds, an outgoing webhook that fails tries at once
 * what it still has to deliver. A stopped outgoing webhook stays stopped.
 *
 * @throws AppError `hookNotFound`, `tooManyRequests`, and the refusals of `requireOwner`.
 */
export async function testOutgoingWebhook(
  deps: OutgoingWebhookDeps,
  input: { person: Person; orgID: number; kind: OutgoingWebhookKind },
): Promise<OutgoingWebhookTestAnswer> {
  const org = await requireOwner(deps, input.person, input.orgID);
  const outgoing = (await deps.outgoingWebhooks.of(org.id)).find((one) => one.kind === input.kind);
  if (!outgoing) throw new AppError('hookNotFound');
  const at = deps.clock.now();
  await requireSlot(deps, org.id, at);
  const event = { type: 'test', id: Buffer.from(deps.random(16)).toString('hex'), at } as const;
  const outcome = await deps.sender.send(
    messageOf(event, { outgoing, ...deps.outgoingWebhooks.open(outgoing), origins: deps.origins, now: at }),
  );
  const last = { at, outcome };
  await deps.outgoingWebhooks.save(outgoing, { last, ...(isDelivered(outcome) && { due: at }) });
  return { last: tryAnswer(last) };
}

async function requireSlot({ takeOnce }: OutgoingWebhookDeps, org: string, now: Date): Promise<void> {
  const slot = Math.floor(now.getTime() / TEST_EVERY_MS);
  if (await takeOnce(`hook-test:${org}:${slot}`, now)) return;
  throw new AppError('tooManyRequests', { retryAfter: TEST_EVERY_MS / 1000 });
}
