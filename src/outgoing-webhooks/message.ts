import { createHmac } from 'node:crypto';
import type { StoredEntry } from '../audit/ports.ts';
import type { WaitingPull } from '../inbox/ports.ts';
import { sha256 } from '../shared/crypto.ts';
import type { Origins } from '../shared/links.ts';
import { linksOf, logUrl } from './event-links.ts';
import { type HookEvent, keyOf } from './events.ts';
import type { Hook, Message } from './ports.ts';
import { slackText } from './slack-text.ts';

type About = { hook: Hook; url: string; secret: string; origins: Origins; now: Date };

/**
 * The request that delivers an event. It holds what members read on the log page
 * and nothing secret. A webhook's body has the time of this try in it, so the
 * signature covers it and the receiver can refuse an old one.
 */
export function messageOf(event: HookEvent, { hook, url, secret, origins, now }: About): Message {
  const headers = { 'content-type': 'application/json', 'user-agent': 'OTP-Guard' };
  if (hook.kind === 'slack') {
    const text = slackText(event, { hook, origins });
    return { url, headers, body: JSON.stringify({ text, unfurl_links: false, unfurl_media: false }) };
  }
  const name = eventName(event);
  const delivery = deliveryId(event, hook);
  const { orgId, name: login } = hook.org;
  const body = JSON.stringify({
    event: name,
    delivery,
    sent: now.toISOString(),
    organization: { id: orgId, login },
    ...contentOf(event, { hook, origins }),
  });
  return {
    url,
    headers: {
      ...headers,
      'x-otp-guard-event': name,
      'x-otp-guard-delivery': delivery,
      'x-otp-guard-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  };
}

function eventName(event: HookEvent): string {
  if (event.type === 'test') return 'test';
  if (event.type === 'pull') return 'pull_request.waiting';
  return `log.${event.entry.event?.activity ?? 'erased'}`;
}

/** The same for each try, and another one for another event or hook: the receiver can drop a delivery that it has. */
function deliveryId(event: HookEvent, { id }: Hook): string {
  const hash = sha256(JSON.stringify([id, event.type, identityOf(event)]));
  return Buffer.from(hash).toString('hex').slice(0, 32);
}

/** An entry's leaf and not its number: after a restore, another entry can get the same one. */
function identityOf(event: HookEvent): string {
  if (event.type === 'entry') return event.entry.leaf;
  return event.type === 'pull' ? keyOf(event.pull) : event.id;
}

function contentOf(event: HookEvent, about: Pick<About, 'hook' | 'origins'>): object {
  if (event.type === 'test') return {};
  if (event.type === 'pull') return { pull: pullOf(event.pull, about) };
  return { entry: entryOf(event.entry), url: logUrl(about) };
}

/** The entry as the log page shows it, without erased fields. */
const entryOf = ({ number, at, event, person }: StoredEntry) => ({
  number,
  at: at.toISOString(),
  activity: event?.activity ?? null,
  data: { ...event?.data, ...person?.data },
});

function pullOf(pull: WaitingPull, about: Pick<About, 'hook' | 'origins'>) {
  const { repoName, repoId, pr, title, author, base, head, since } = pull;
  return {
    repository: repoName,
    repositoryId: repoId,
    number: pr,
    title,
    author,
    base,
    head,
    since: since.toISOString(),
    ...linksOf(pull, about),
  };
}
