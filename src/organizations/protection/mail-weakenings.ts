import type { LogReader } from '../../audit/ports.ts';
import type { WeakeningKind } from '../../contract/protection.ts';
import { changeSentence } from '../../contract/protection-words.ts';
import { noticesTo } from '../../notices/ports.ts';
import type { Clock } from '../../shared/clock.ts';
import { inTurn } from '../../shared/work.ts';
import type { Memberships } from '../ports.ts';
import { namedChange } from './acknowledge.ts';
import type { StoredWeakening, Weakenings } from './ports.ts';

/** One e-mail has all weakenings within this time after the first. */
const GATHER_MS = 60_000;
/** An e-mail about something older is no longer news. */
const NEWS_MS = 3 * 24 * 60 * 60_000;
const MOST_NAMED = 20;

type MailWeakeningsDeps = {
  weakenings: Pick<Weakenings, 'unmailed' | 'mail'>;
  memberships: Pick<Memberships, 'ownersToNotify'>;
  checkpoints: Pick<LogReader, 'newest'>;
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
      deps.checkpoints.newest(org.id).catch(() => null),
    ]);
    await weakenings.mail(
      org,
      (all) =>
        noticesTo(owners, 'protectionWeakened', {
          org: org.name,
          changes: worstFirst(all)
            .slice(0, MOST_NAMED)
            .map((one) => changeSentence(namedChange(one), one.by?.login ?? null)),
          more: Math.max(all.length - MOST_NAMED, 0),
          ...(checkpoint && { checkpoint: checkpoint.note }),
        }),
      now,
    );
  });
}

/** The widest opening comes first: the App's end, then ways for everybody to merge, then ways for somebody. */
const ORDER: Record<WeakeningKind, number> = {
  appRemoved: 0,
  appSuspended: 0,
  repositoriesReduced: 1,
  permissionsReduced: 1,
  checkNotRequired: 2,
  checkFromAnySource: 2,
  pullRequestNotRequired: 2,
  ruleNotActive: 2,
  ruleCoversLess: 2,
  protectionRemoved: 2,
  administratorsFree: 3,
  bypassAdded: 3,
  bypassLoosened: 3,
  ownerAdded: 4,
  deployKeyAdded: 5,
};

/** One of each kind and repository comes before another of the same, so that many of one hide no other. */
function worstFirst(all: StoredWeakening[]): StoredWeakening[] {
  const counts = new Map<string, number>();
  const ranked = all.map((one) => {
    const group = `${one.change.kind} ${one.repoId}`;
    const round = counts.get(group) ?? 0;
    counts.set(group, round + 1);
    return { one, rank: [round, ORDER[one.change.kind]] as const };
  });
  return ranked.toSorted(({ rank: [a, b] }, { rank: [c, d] }) => a - c || b - d).map(({ one }) => one);
}
