import { AppError } from '../app-error.ts';
import type { LogReader } from '../audit/ports.ts';
import type { Clock, Random } from '../clock.ts';
import type { HookChangeAnswer, HookKind, HooksAnswer } from '../contract/hooks.ts';
import type { Members, Memberships, Organizations } from '../organizations/ports.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Person, Session } from '../people/ports.ts';
import { hookAnswer } from './hook-answer.ts';
import { hookEffects } from './hook-effects.ts';
import { parseHookUrl } from './hook-url.ts';
import type { Hooks, Sender } from './ports.ts';

export type HooksDeps = {
  organizations: Organizations;
  members: Members;
  memberships: Pick<Memberships, 'ownersToNotify'>;
  hooks: Hooks;
  log: Pick<LogReader, 'newest'>;
  sender: Sender;
  /** False if the operator switched outgoing webhooks off. */
  hooksEnabled: boolean;
  clock: Clock;
  random: Random;
};

/** A key as long as the hash that it keys (RFC 2104, section 3). */
const SECRET_BYTES = 32;

/**
 * The organization's hooks, for its owners: where they lead, and how the last
 * try went. Their addresses and secrets are shown to nobody.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function listHooks(
  deps: HooksDeps,
  input: { session: Session; orgID: number },
): Promise<HooksAnswer> {
  const org = await requireOwner(deps, input.session, input.orgID);
  return { enabled: deps.hooksEnabled, hooks: (await deps.hooks.of(org.id)).map(hookAnswer) };
}

/**
 * Sets the organization's hook of a kind for an owner, or replaces it; logs it
 * and notifies the owners. It gets what happens from now on, its own log entry
 * first. Nothing is connected to here.
 *
 * @returns The new secret, which is shown this once.
 * @throws AppError `hooksOff`, `wrongHookUrl`, `hookMoved` if another owner changed it at the same time,
 *   and the refusals of `requireOwner`.
 */
export async function setHook(
  deps: HooksDeps,
  input: { person: Person; orgID: number; kind: HookKind; url: string },
): Promise<HookChangeAnswer> {
  const { person, kind } = input;
  const org = await requireOwner(deps, person, input.orgID);
  if (!deps.hooksEnabled) throw new AppError('hooksOff');
  const { url, host } = parseHookUrl(input.url, deps.sender.isPublic);
  const secret = kind === 'slack' ? '' : Buffer.from(deps.random(SECRET_BYTES)).toString('base64url');
  const owners = await deps.memberships.ownersToNotify(org.id);
  const effects = hookEffects('hookSet', person, { org, kind, host, owners });
  const position = (await deps.log.newest(org.id))?.size ?? 0;
  const at = deps.clock.now();
  const hook = await deps.hooks.set(org, { kind, url, host, secret, position, at }, effects);
  if (!hook) throw new AppError('hookMoved');
  return { hook: hookAnswer(hook), secret: secret || null };
}

/**
 * Removes the organization's hook of a kind for an owner, logs it and notifies
 * the owners. This works also while outgoing webhooks are switched off.
 *
 * @throws AppError `hookNotFound`, and the refusals of `requireOwner`.
 */
export async function removeHook(
  deps: HooksDeps,
  input: { person: Person; orgID: number; kind: HookKind },
): Promise<void> {
  const { person, kind } = input;
  const org = await requireOwner(deps, person, input.orgID);
  const hook = (await deps.hooks.of(org.id)).find((one) => one.kind === kind);
  if (!hook) throw new AppError('hookNotFound');
  const owners = await deps.memberships.ownersToNotify(org.id);
  const effects = hookEffects('hookRemove', person, { org, kind, host: hook.host, owners });
  if (!(await deps.hooks.remove(hook, effects))) throw new AppError('hookMoved');
}
