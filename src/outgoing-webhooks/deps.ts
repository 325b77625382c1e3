import type { LogReader } from '../audit/ports.ts';
import type { Memberships } from '../organizations/ports.ts';
import type { RoleDeps } from '../organizations/require-role.ts';
import type { Clock, Random } from '../shared/clock.ts';
import type { Origins } from '../shared/links.ts';
import type { OutgoingWebhooks, Sender } from './ports.ts';

/** All that the calls of this room take. */
export type OutgoingWebhookDeps = RoleDeps & {
  memberships: Pick<Memberships, 'ownersToNotify'>;
  outgoingWebhooks: OutgoingWebhooks;
  auditLog: Pick<LogReader, 'newest'>;
  sender: Sender;
  takeOnce(name: string, until: Date): Promise<boolean>;
  origins: Origins;
  clock: Clock;
  random: Random;
};
