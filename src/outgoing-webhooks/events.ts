import type { LogReader, StoredEntry } from '../audit/ports.ts';
import type { Deployments } from '../deployments/ports.ts';
import { headKey, toWaiting, type WaitingPull, type WaitingPulls } from '../inbox/ports.ts';
import { linkedPull } from '../organizations/waiting-pulls.ts';
import { sha256Base64url } from '../shared/crypto.ts';
import { deployUrl, repositoryPage } from '../shared/deployment-links.ts';
import { approvalUrl, type Origins, pullUrl } from '../shared/links.ts';
import type { OutgoingWebhook } from './ports.ts';

/** An event of the queue, which an outgoing webhook delivers in order. */
export type QueuedEvent =
  | { type: 'entry'; at: Date; entry: StoredEntry }
  | { type: 'pull'; at: Date; pull: WaitingPull };

export type OutgoingEvent = QueuedEvent | { type: 'test'; at: Date; id: string };

const PAGE = 200;

export type EventDeps = {
  auditLog: Pick<LogReader, 'after'>;
  waitingPulls: Pick<WaitingPulls, 'since'>;
  deployments: Pick<Deployments, 'waiting'>;
};

/** Long enough that no two heads of an organization share one, and short, because an outgoing webhook remembers many. */
const KEY_LENGTH = 16;

/** The same for the same head of the same pull request, and for the same attempt and environment. */
export const keyOf = (pull: WaitingPull): string => sha256Base64url(headKey(pull)).slice(0, KEY_LENGTH);

/**
 * The events that the outgoing webhook delivers next, oldest first, at most `most` of them. The
 * log's entries keep their own order, also if clocks differ.
 */
export async function nextEvents(
  deps: EventDeps,
  outgoing: OutgoingWebhook,
  most: number,
): Promise<QueuedEvent[]> {
  const [entries, found] = await Promise.all([
    deps.auditLog.after(outgoing.org.id, outgoing.state.position, most),
    newWaiting(deps, outgoing, most),
  ]);
  const waiting = found.map((pull) => ({ type: 'pull', at: pull.since, pull }) as const);
  const merged: QueuedEvent[] = [];
  for (const entry of entries) {
    while (waiting[0] && waiting[0].at <= entry.at) merged.push(waiting.shift() as QueuedEvent);
    merged.push({ type: 'entry', at: entry.at, entry });
  }
  return [...merged, ...waiting].slice(0, most);
}

/**
 * Each head and each deployment once: it keeps the time since when it waits, and is remembered until none can have an earlier
 * one. A deployment that OTP Guard hasn't judged yet may lack no approval, so it's left out until then.
 */
async function newWaiting(
  { waitingPulls, deployments }: EventDeps,
  { org, state }: OutgoingWebhook,
  most: number,
): Promise<WaitingPull[]> {
  const delivered = new Set(state.delivered.map(({ key }) => key));
  const isNew = (one: WaitingPull) => !delivered.has(keyOf(one));
  const asked = (await deployments.waiting(org.orgId)).map(toWaiting);
  const waiting = asked.filter((one) => one.since >= state.pullsFrom && one.lacks.length > 0 && isNew(one));
  const pulls: WaitingPull[] = [];
  for (let number = 1; pulls.length < most; number += 1) {
    const page = await waitingPulls.since(org.id, state.pullsFrom, { number, size: PAGE });
    pulls.push(...page.filter(isNew));
    if (page.length < PAGE) break;
  }
  return [...waiting, ...pulls].sort((one, other) => one.since.getTime() - other.since.getTime());
}

export type About = { outgoing: OutgoingWebhook; origins: Origins };

/** The page on GitHub of the pull request or the run, and the page that approves it. */
export function linksOf(pull: WaitingPull, { outgoing: { org }, origins }: About) {
  if (pull.deployment) {
    const { repo, run, environment } = pull.deployment;
    const about = { installation: org.installationId, owner: org.name, name: repo.name, ownerId: org.orgId };
    const url = repositoryPage(origins, about, `actions/runs/${run}`);
    return { url, approval: deployUrl(origins, about, { run, environment }) };
  }
  const linked = linkedPull(org, pull);
  const approval = approvalUrl(origins, { installation: org.installationId }, linked);
  return { url: pullUrl(origins, linked), approval };
}

/** The organization's log page. */
export const logUrl = (about: About): string => pageUrl('/org/log', about);

/** The page on which owners set outgoing webhooks. */
export const settingsUrl = (about: About): string => pageUrl('/org/hooks', about);

function pageUrl(path: string, { outgoing, origins }: About): string {
  const { orgId, name, installationId } = outgoing.org;
  const query = new URLSearchParams({
    owner: name,
    ownerID: String(orgId),
    installation: String(installationId),
  });
  return `${origins.publicUrl}${path}?${query}`;
}
