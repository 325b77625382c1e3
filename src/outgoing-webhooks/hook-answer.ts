import type { HookAnswer, HookTry } from '../contract/outgoing-webhooks.ts';
import type { Hook, HookState } from './ports.ts';

/** A hook as owners see it: neither its address nor its secret. */
export function hookAnswer({ kind, host, stopped, state }: Hook): HookAnswer {
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

export const tryAnswer = ({ at, outcome }: NonNullable<HookState['last']>): HookTry => ({
  at: at.toISOString(),
  outcome,
});
