import { createHmac } from 'node:crypto';
import type { StoredEntry } from '../audit/ports.ts';
import type { Deployment } from '../deployments/ports.ts';
import type { WaitingPull } from '../inbox/ports.ts';
import { sha256 } from '../shared/crypto.ts';
import { type About, keyOf, linksOf, logUrl, type OutgoingEvent } from './events.ts';
import type { Address, Message, OutgoingWebhook } from './ports.ts';
import { slackMessage } from './slack-message.ts';

/**
 * The request that delivers an event. It holds what members read on the log page
 * and nothing secret. A webhook's body has the time of this try in it, so the
 * signature covers it and the receiver can refuse an old one.
 */
export function messageOf(event: OutgoingEvent, about: About & Address & { now: Date }): Message {
  const { outgoing, url, secret, now } = about;
  const headers = { 'content-type': 'application/json', 'user-agent': 'OTP-Guard' };
  if (outgoing.kind === 'slack') return { url, headers, body: JSON.stringify(slackMessage(event, about)) };
  const name = eventName(event);
  const delivery = deliveryId(event, outgoing);
  const { orgId, name: login } = outgoing.org;
  const body = JSON.stringify({
    event: name,
    delivery,
    sent: now.toISOString(),
    organization: { id: orgId, login },
    ...contentOf(event, about),
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

function eventName(event: OutgoingEvent): string {
  if (event.type === 'test') return 'test';
  if (event.type === 'pull') return event.pull.deployment ? 'deployment.waiting' : 'pull_request.waiting';
  return `log.${event.entry.event?.activity ?? 'erased'}`;
}

/**
 * The delivery's id: the same for each try, so that the receiver can drop a delivery that it has, and another one for
 * each event and outgoing webhook.
 */
function deliveryId(event: OutgoingEvent, { id }: OutgoingWebhook): string {
  const hash = sha256(JSON.stringify([id, event.type, identityOf(event)]));
  return Buffer.from(hash).toString('hex').slice(0, 32);
}

/** An entry's leaf and not its number: after a restore, another entry can get the same one. */
function identityOf(event: OutgoingEvent): string {
  if (event.type === 'entry') return event.entry.leaf;
  return event.type === 'pull' ? keyOf(event.pull) : event.id;
}

function contentOf(event: OutgoingEvent, about: About): object {
  if (event.type === 'test') return {};
  if (event.type === 'pull')
    return event.pull.deployment
      ? { deployment: deploymentOf(event.pull, event.pull.deployment, about) }
      : { pull: pullOf(event.pull, about) };
  return { entry: entryOf(event.entry), url: logUrl(about) };
}

/** The entry as the log page shows it, without erased fields. */
const entryOf = ({ number, at, event, person }: StoredEntry) => ({
  number,
  at: at.toISOString(),
  activity: event?.activity ?? null,
  data: { ...event?.data, ...person?.data },
});

function pullOf(pull: WaitingPull, about: About) {
  const { repoName: repository, repoId: repositoryId, pr: number, title, author, base, head } = pull;
  const since = pull.since.toISOString();
  return { repository, repositoryId, number, title, author, base, head, since, ...linksOf(pull, about) };
}

function deploymentOf(waiting: WaitingPull, deployment: Deployment, about: About) {
  const { repoId: repositoryId, repo, run, attempt, environment, ref, head } = deployment;
  const since = deployment.since.toISOString();
  const named = { repository: repo.name, repositoryId, run, attempt, environment, ref, head, since };
  return { ...named, ...linksOf(waiting, about) };
}
