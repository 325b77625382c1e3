import type { DeviceLinks } from '../../../authenticators/ports.ts';
import { first, type StoreClient } from '../client.ts';
import { consumeKey } from '../records/one-time-keys.ts';
import { newRecordId } from '../records/record-id.ts';
import type { RecordSeals, Row } from '../records/record-seals.ts';

type LinkRecord = Row & { hash: string; user: string; org_id: number; expires: string };

/** The MAC covers GitHub's id of the person. */
const EXPAND = 'user';

export function createDeviceLinks(client: StoreClient, seals: RecordSeals): DeviceLinks {
  return {
    async add({ hash, userId, orgId, expires }) {
      const fields = {
        id: newRecordId(),
        hash,
        user: userId,
        org_id: orgId,
        expires: expires.toISOString(),
      };
      await client.run(async (records) => {
        const user = await records.collection('gh_users').getOne(userId, { fields: 'github_id' });
        const mac = seals.macOf('device_links', { ...fields, expand: { user } });
        await records.collection('device_links').create({ ...fields, mac });
      });
    },
    async find(hash) {
      const record = await client.run((records) =>
        first<LinkRecord>(records, 'device_links', 'hash = {:hash}', { hash }, { expand: EXPAND }),
      );
      if (!record || !seals.isOurs('device_links', record)) return null;
      const { id, user, org_id, expires } = record;
      return { id, userId: user, orgId: org_id, expires: new Date(expires) };
    },
    consume: ({ id, expires }) => consumeKey(client, `device-link:${id}`, expires),
  };
}
