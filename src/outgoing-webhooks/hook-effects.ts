import type { Effects } from '../audit/ports.ts';
import { accountOf } from '../audit/subjects.ts';
import type { HookKind } from '../contract/outgoing-webhooks.ts';
import type { Session } from '../people/ports.ts';

type About = {
  org: { id: string; name: string };
  kind: HookKind;
  host: string;
  /** The owners who confirmed an address. */
  owners: string[];
};

/** Logs that an owner set or removed a hook, and notifies them and the other owners. */
export function hookEffects(
  activity: 'hookSet' | 'hookRemove',
  by: Pick<Session, 'userId' | 'githubId' | 'login'>,
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
    notices: [...new Set([by.userId, ...owners])].map((userId) => ({
      kind: activity === 'hookSet' ? 'hookSet' : 'hookRemoved',
      userId,
      data: { org: org.name, by: by.login, hook: kind, host },
    })),
  };
}

/** Logs that a hook was stopped because it failed for a week, and notifies the owners. */
export function stopEffects({ org, kind, host, owners }: About): Effects {
  return {
    activity: {
      activity: 'hookStop',
      userId: '',
      orgRecordId: org.id,
      data: { org: org.name, hook: kind, host },
    },
    notices: owners.map((userId) => ({
      kind: 'hookStopped',
      userId,
      data: { org: org.name, hook: kind, host },
    })),
  };
}
