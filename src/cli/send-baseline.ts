import type { ProtectionBaseline } from '../contract/protection.ts';
import { printable } from './print.ts';
import { addressOf } from './read-key-list.ts';
import type { FoundOrganization } from './read-organization.ts';
import { UncheckedError, UsageError } from './usage-error.ts';

/** Where the bypass lists go, and the session of the owner who sends them. */
type Sender = { url: URL; session: string };

const ANSWER_MS = 30_000;
const MOST_RULESETS = 500;
/** The server takes bodies of 64 KiB. */
const MOST_BYTES = 60_000;
const MOST_ACTORS = 100;
const LONGEST_NAME = 100;

/** @throws UsageError without the server's address or a session. */
export function readSender(
  { origin }: { origin?: string },
  { OTP_GUARD_SESSION: session }: Record<string, string | undefined>,
): Sender {
  if (origin === undefined) throw new UsageError('Give --origin with the address to send to.');
  if (!session || !/^[\w.-]{1,4096}$/.test(session))
    throw new UsageError('Set OTP_GUARD_SESSION to the session of an owner, as docs/ways-around.md says.');
  return { url: addressOf(origin, '/protection-baseline'), session };
}

type Lists = ProtectionBaseline['rulesets'];

/** The lists of the rulesets that require the check from our App, or a pull request, each once. */
function listsOf({ repositories }: FoundOrganization): Lists {
  const rules = repositories
    .flatMap(({ protection }) => protection.rulesets ?? [])
    .filter(({ isOurs, needsPull }) => isOurs || needsPull)
    .filter(({ id }, index, all) => all.findIndex((rule) => rule.id === id) === index);
  return rules.flatMap(({ id, updated, bypass }) => {
    if (id === null || updated === null || !bypass || bypass.length > MOST_ACTORS) return [];
    const actors = bypass.map(({ type, id: actor, name, mode }) => ({
      type,
      id: actor,
      mode,
      name: printable(name).slice(0, LONGEST_NAME),
    }));
    return [{ id, updated, bypass: actors }];
  });
}

/** The lists in parts that the server takes. */
function partsOf(lists: Lists): Lists[] {
  const parts: Lists[] = [];
  let left = 0;
  for (const list of lists) {
    const bytes = Buffer.byteLength(JSON.stringify(list)) + 1;
    const part = parts.at(-1);
    if (part && part.length < MOST_RULESETS && bytes <= left) part.push(list);
    else {
      parts.push([list]);
      left = MOST_BYTES;
    }
    left -= bytes;
  }
  return parts;
}

/**
 * Hands the server the bypass lists that GitHub doesn't show to its App, in parts of the size that it takes.
 *
 * @returns How many lists were sent, and in how many repositories the server knows a list that it didn't; a repository
 *   counts in each part that has one of its.
 * @throws UncheckedError with the server's reason, if it doesn't take a part.
 */
export async function sendBaseline(
  sender: Sender,
  organization: FoundOrganization,
): Promise<{ rulesets: number; filled: number }> {
  const lists = listsOf(organization);
  let filled = 0;
  for (const rulesets of partsOf(lists))
    filled += await sendPart(sender, { org: organization.org, orgID: organization.orgId, rulesets });
  return { rulesets: lists.length, filled };
}

async function sendPart({ url, session }: Sender, part: ProtectionBaseline): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: { authorization: session, 'content-type': 'application/json' },
    body: JSON.stringify(part),
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((cause: unknown) => {
    throw new UncheckedError(`${url.origin} doesn’t answer, so not all bypass lists were sent.`, { cause });
  });
  const text = await answer.text();
  if (answer.status === 200) return (JSON.parse(text) as { filled: number }).filled;
  const reason = printable(text).slice(0, 300);
  throw new UncheckedError(
    `${url.origin} didn’t take the bypass lists (${answer.status}). It says: ${reason}`,
  );
}
