import { findWebhook } from './deliveries.ts';
import type { ScratchPull } from './open-pull.ts';
import type { Seen } from './outcome.ts';
import { poll, type Scratch } from './scratch.ts';

const PATIENCE_MS = 60_000;
const ASSUMED_MS = 30_000;

/** How long the list of open pull requests and the webhook of a new one take. */
export async function tryLists(scratch: Scratch, pull: ScratchPull): Promise<Seen[]> {
  const { installation, at, signal } = scratch;
  const listed = await poll({ signal }, PATIENCE_MS, async () => {
    const { data } = await installation.rest.pulls.list({ ...at, state: 'open', per_page: 100 });
    return data.some(({ number }) => number === pull.number) ? new Date() : undefined;
  });
  const sent = await poll({ signal }, PATIENCE_MS, () =>
    findWebhook(scratch, {
      event: 'pull_request',
      action: 'opened',
      matches: ({ number }) => number === pull.number,
    }),
  );
  return [
    { id: 'list-lag', ...after(pull.askedAt, listed) },
    { id: 'webhook-lag', ...after(pull.askedAt, sent?.at) },
  ];
}

function after(asked: Date, at: Date | undefined) {
  if (!at) return { seen: 'not within a minute' };
  // GitHub's clock can be a little behind ours.
  const ms = Math.max(0, at.getTime() - asked.getTime());
  const more = `${(ms / 1000).toFixed(1)} s`;
  return { seen: ms <= ASSUMED_MS ? 'within 30 seconds' : 'later than 30 seconds', more };
}
