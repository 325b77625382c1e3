import type { BatchService } from 'pocketbase';
import type { LostAuthenticator, LostAuthenticators } from '../../../authenticators/ports.ts';
import type { StoreClient } from '../client.ts';
import { recordsOf } from '../records/records-of.ts';
import type { RecordOf } from '../schema/collections.ts';

type LostRecord = RecordOf<'lost_authenticators'> & { expand: { org: { org_id: number; name: string } } };

/** Adds a loss to the batch that removes the authenticator, so that its approvals are withdrawn even after a crash. */
export function addLost(
  batch: BatchService,
  { id, method, holder, org, since, by }: LostAuthenticator,
): void {
  batch.collection('lost_authenticators').create({
    authenticator: id,
    method,
    user_id: holder.githubId,
    login: holder.login,
    org: org.recordId,
    since: since.toISOString(),
    by: by.userId,
    by_id: by.githubId,
    by_login: by.login,
  });
}

export function createLostAuthenticators(client: StoreClient): LostAuthenticators {
  const lost = recordsOf<LostRecord>(client, 'lost_authenticators');
  return {
    pending: async () => (await lost.all({ done: false }, { sort: 'created', expand: 'org' })).map(toLost),
    async done({ id }) {
      const found = await lost.first({ authenticator: id });
      if (found) await lost.update(found.id, { done: true });
    },
  };
}

function toLost({ expand: { org }, ...record }: LostRecord): LostAuthenticator {
  return {
    id: record.authenticator,
    method: record.method,
    holder: { githubId: record.user_id, login: record.login },
    org: { id: org.org_id, recordId: record.org, name: org.name },
    since: new Date(record.since),
    by: { userId: record.by, githubId: record.by_id, login: record.by_login },
  };
}
