import type { BatchService } from 'pocketbase';
import type { LostAuthenticator, LostAuthenticators } from '../../../authenticators/ports.ts';
import type { StoreClient } from '../client.ts';

type LostRecord = {
  id: string;
  authenticator: string;
  method: LostAuthenticator['method'];
  user_id: number;
  login: string;
  org: string;
  since: string;
  by: string;
  by_id: number;
  by_login: string;
  expand: { org: { org_id: number; name: string } };
};

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
  return {
    async pending() {
      const found = await client.run((records) =>
        records
          .collection('lost_authenticators')
          .getFullList<LostRecord>({ filter: 'done = false', sort: 'created', expand: 'org' }),
      );
      return found.map(toLost);
    },
    async done({ id }) {
      await client.run(async (records) => {
        const lost = records.collection('lost_authenticators');
        const { id: recordId } = await lost.getFirstListItem(records.filter('authenticator = {:id}', { id }));
        await lost.update(recordId, { done: true });
      });
    },
  };
}

function toLost({
  authenticator,
  method,
  user_id,
  login,
  since,
  by,
  by_id,
  by_login,
  org,
  expand,
}: LostRecord) {
  return {
    id: authenticator,
    method,
    holder: { githubId: user_id, login },
    org: { id: expand.org.org_id, recordId: org, name: expand.org.name },
    since: new Date(since),
    by: { userId: by, githubId: by_id, login: by_login },
  };
}
