import type { LogReader } from '../audit/ports.ts';
import { changeSentence } from '../contract/protection-words.ts';
import { noticesTo } from '../notices/notices-to.ts';
import type { Memberships } from '../organizations/ports.ts';
import type { Clock } from '../shared/clock.ts';
import { inTurn } from '../shared/work.ts';
import { namedChange } from './acknowledge.ts';
import type { Weakenings } from './ports.ts';
import { worstFirst } from './severity.ts';

/** One e-mail has all weakenings within this time after the first. */
const GATHER_MS = 60_000;
/** An e-mail about something older is no longer news. */
const NEWS_MS = 3 * 24 * 60 * 60_000;
const MOST_NAMED = 20;

type MailWeakeningsDeps = {
  weakenings: Pick<Weakenings, 'unmailed' | 'mail'>;
  memberships: Pick<Memberships, 'ownersToNotify'>;
  auditLog: Pick<LogReader, 'newest'>;
  clock: Clock;
  gatherMs?: number | undefined;
};

/**
 * Queues e-mails to owners about what became weaker: one for all of a minute, and none twice. Nobody waits for more if the
 * App was removed.
 *
 * @throws The first failure, after each organization had its turn.
 */
export async function mailWeakenings(deps: MailWeakeningsDeps): Promise<void> {
  const { weakenings, memberships, clock, gatherMs = GATHER_MS } = deps;
  const now = clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  const unmailed = await weakenings.unmailed({ since: before(NEWS_MS), until: before(gatherMs) });
  await inTurn(unmailed, async (org) => {
    const [owners, checkpoint] = await Promise.all([
      memberships.ownersToNotify(org.id),
      // The e-mail goes out without it, too.
      deps.auditLog.newest(org.id).catch(() => null),
    ]);
    await weakenings.mail(
      org,
      (all) => {
        const rows = worstFirst(all, MOST_NAMED);
        return noticesTo(owners, 'protectionWeakened', {
          org: org.name,
          changes: rows.map(({ first }) => changeSentence(namedChange(first), first.by?.login ?? null)),
          more: all.length - rows.length,
          ...(checkpoint && { checkpoint: checkpoint.note }),
        });
      },
      now,
    );
  });
}
