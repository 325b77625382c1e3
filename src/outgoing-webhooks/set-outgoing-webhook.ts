import type { Effects } from '../audit/ports.ts';
import { accountOf } from '../audit/subjects.ts';
import type {
  OutgoingWebhookAnswer,
  OutgoingWebhookChangeAnswer,
  OutgoingWebhookKind,
  OutgoingWebhooksAnswer,
  OutgoingWebhookTestAnswer,
  OutgoingWebhookTry,
} from '../contract/outgoing-webhooks.ts';
import { noticesTo } from '../notices/notices-to.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Person, Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import { isDelivered } from './after-try.ts';
import type { OutgoingWebhookDeps } from './deps.ts';
import { messageOf } from './message.ts';
import type { DeliveryState, OutgoingWebhook } from './ports.ts';

/** A key as long as the hash that it keys (RFC 2104, section 3). */
const SECRET_BYTES = 32;

/**
 * The organization's outgoing webhooks, for its owners: where they lead, and how the last
 * try went. Their addresses and secrets are shown to nobody.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function listOutgoingWebhooks(
  deps: OutgoingWebhookDeps,
  input: { session: Session; orgID: number },
): Promise<OutgoingWebhooksAnswer> {
  const org = await requireOwner(deps, input.session, input.orgID);
  return { hooks: (await deps.outgoingWebhooks.of(org.id)).map(toAnswer) };
}

/**
 * Sets the organization's outgoing webhook of a kind for an owner, or replaces it; logs it
 * and notifies the owners. It gets what happens from now on, its own log entry
 * first. Nothing is connected to here.
 *
 * @returns The new secret, which is shown this once.
 * @throws AppError `wrongHookUrl`, `hookMoved` if another owner changed it at the same time,
 *   and the refusals of `requireOwner`.
 */
export async function setOutgoingWebhook(
  deps: OutgoingWebhookDeps,
  input: { person: Person; orgID: number; kind: OutgoingWebhookKind; url: string },
): Promise<OutgoingWebhookChangeAnswer> {
  const { person, kind } = input;
  const org = await requireOwner(deps, person, input.orgID);
  const { url, host } = parseOutgoingUrl(input.url, deps.sender.isPublic);
  const secret = kind === 'slack' ? '' : Buffer.from(deps.random(SECRET_BYTES)).toString('base64url');
  const owners = await deps.memberships.ownersToNotify(org.id);
  const effects = changeEffects('hookSet', person, { org, kind, host, owners });
  const position = (await deps.auditLog.newest(org.id))?.size ?? 0;
  const at = deps.clock.now();
  const outgoing = await deps.outgoingWebhooks.set(org, { kind, url, host, secret, position, at }, effects);
  if (!outgoing) throw new AppError('hookMoved');
  return { hook: toAnswer(outgoing), secret: secret || null };
}

/**
 * Removes the organization's outgoing webhook of a kind for an owner, logs it and notifies
 * the owners.
 *
 * @throws AppError `hookNotFound`, and the refusals of `requireOwner`.
 */
export async function removeOutgoingWebhook(
  deps: OutgoingWebhookDeps,
  input: { person: Person; orgID: number; kind: OutgoingWebhookKind },
): Promise<void> {
  const outgoing = await findOutgoing(deps, input);
  const { org } = outgoing;
  const owners = await deps.memberships.ownersToNotify(org.id);
  const effects = changeEffects('hookRemove', input.person, { ...outgoing, owners });
  if (!(await deps.outgoingWebhooks.remove(outgoing, effects))) throw new AppError('hookMoved');
}

/** One test in this time for each organization, regardless of how many owners and sessions it has. */
const TEST_EVERY_MS = 10_000;

/**
 * Sends a test to the organization's outgoing webhook of a kind, for an owner, and says
 * which class of outcome it had. If it succeeds, an outgoing webhook that fails tries
 * immediately what it still has to deliver. A stopped outgoing webhook stays stopped.
 *
 * @throws AppError `hookNotFound`, `tooManyRequests`, and the refusals of `requireOwner`.
 */
export async function testOutgoingWebhook(
  deps: OutgoingWebhookDeps,
  input: { person: Person; orgID: number; kind: OutgoingWebhookKind },
): Promise<OutgoingWebhookTestAnswer> {
  const outgoing = await findOutgoing(deps, input);
  const at = deps.clock.now();
  const slot = Math.floor(at.getTime() / TEST_EVERY_MS);
  if (!(await deps.takeOnce(`hook-test:${outgoing.org.id}:${slot}`, at)))
    throw new AppError('tooManyRequests', { retryAfter: TEST_EVERY_MS / 1000 });
  const event = { type: 'test', id: Buffer.from(deps.random(16)).toString('hex'), at } as const;
  const address = deps.outgoingWebhooks.open(outgoing);
  const message = messageOf(event, { outgoing, ...address, origins: deps.origins, now: at });
  const outcome = await deps.sender.send(message);
  const last = { at, outcome };
  await deps.outgoingWebhooks.save(outgoing, { last, ...(isDelivered(outcome) && { due: at }) });
  return { last: tryAnswer(last) };
}

async function findOutgoing(
  deps: OutgoingWebhookDeps,
  { person, orgID, kind }: { person: Person; orgID: number; kind: OutgoingWebhookKind },
): Promise<OutgoingWebhook> {
  const org = await requireOwner(deps, person, orgID);
  const outgoing = (await deps.outgoingWebhooks.of(org.id)).find((one) => one.kind === kind);
  if (!outgoing) throw new AppError('hookNotFound');
  return outgoing;
}

/** A host name with a dot, as URLs write it: no numbers only, no trailing dot, no port. */
const HOST_NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reserved for local use (RFC 6761, RFC 6762, RFC 9476 and ICANN's `internal`). */
const LOCAL = /\.(localhost|local|localdomain|internal|intranet|lan|home|corp|arpa|onion|alt)$/;

/**
 * Checks the address of an outgoing webhook: https, at port 443, without a password and
 * fragment. A literal address must be public; a host name is looked up at each
 * connection, and not here. Only one port, so that nobody can scan ports.
 *
 * @returns The address in its normal form, and its host name.
 * @throws AppError `wrongHookUrl`. It never contains the address.
 */
export function parseOutgoingUrl(
  text: string,
  isPublic: (address: string) => boolean,
): { url: string; host: string } {
  const trimmed = text.trim();
  // Only what people see: the parser would drop tabs and line breaks, and read a backslash as a slash.
  const isPlain = /^https:\/\/(?!\/)[\x21-\x5b\x5d-\x7e]+$/i.test(trimmed);
  if (!isPlain || !URL.canParse(trimmed)) throw new AppError('wrongHookUrl');
  const url = new URL(trimmed);
  const { protocol, username, password, port, hash, hostname: host } = url;
  const hasMore = username !== '' || password !== '' || port !== '' || hash !== '';
  const isAllowed = HOST_NAME.test(host) ? !LOCAL.test(host) : isPublic(host.replace(/^\[|\]$/g, ''));
  if (protocol !== 'https:' || hasMore || !isAllowed) throw new AppError('wrongHookUrl');
  return { url: url.href, host };
}

/** An outgoing webhook as owners see it: neither its address nor its secret. */
function toAnswer({ kind, host, stopped, state }: OutgoingWebhook): OutgoingWebhookAnswer {
  const { last, failingSince, due } = state;
  return {
    kind,
    host,
    stopped,
    last: last && tryAnswer(last),
    failingSince: failingSince?.toISOString() ?? null,
    nextTry: failingSince && !stopped ? due.toISOString() : null,
  };
}

const tryAnswer = (last: NonNullable<DeliveryState['last']>): OutgoingWebhookTry => ({
  ...last,
  at: last.at.toISOString(),
});

type About = {
  org: { id: string; name: string };
  kind: OutgoingWebhookKind;
  host: string;
  /** The owners who confirmed an address. */
  owners: string[];
};

/** Logs that an owner set or removed an outgoing webhook, and notifies them and the other owners. */
export function changeEffects(
  activity: 'hookSet' | 'hookRemove',
  by: Session,
  { org, kind, host, owners }: About,
): Effects {
  return {
    activity: {
      activity,
      userId: by.userId,
      orgRecordId: org.id,
      data: { login: by.login, org: org.name, hook: kind, host },
      personFacts: { by: accountOf(by) },
    },
    notices: noticesTo([by.userId, ...owners], activity === 'hookSet' ? 'hookSet' : 'hookRemoved', {
      org: org.name,
      by: by.login,
      hook: kind,
      host,
    }),
  };
}

/** Logs that an outgoing webhook was stopped because it failed for a week, and notifies the owners. */
export function stopEffects({ org, kind, host, owners }: About): Effects {
  const data = { org: org.name, hook: kind, host };
  return {
    activity: { activity: 'hookStop', userId: '', orgRecordId: org.id, data },
    notices: noticesTo(owners, 'hookStopped', data),
  };
}
