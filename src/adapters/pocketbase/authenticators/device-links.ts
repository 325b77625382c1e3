import type { DeviceLinks } from '../../../authenticators/ports.ts';
import type { StoreClient } from '../client.ts';
import { consumeKey } from '../records/one-time-keys.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { newRecordId, recordsOf } from '../records/records-of.ts';

export function createDeviceLinks(client: StoreClient, seals: RecordSeals): DeviceLinks {
  const links = recordsOf(client, 'device_links');
  return {
    async add({ hash, userId, orgId, expires }) {
      const user = await recordsOf(client, 'gh_users').get(userId, { fields: 'github_id' });
      const fields = { id: newRecordId(), hash, user: userId, org_id: orgId, expires: expires.toISOString() };
      await links.create(seals.signed('device_links', fields, { user }));
    },
    async find(hash) {
      const record = await links.first('hash = {:hash}', { hash }, { expand: 'user' });
      if (!record || !seals.isOurs('device_links', record)) return null;
      const { id, user, org_id, expires } = record;
      return { id, userId: user, orgId: org_id, expires: new Date(expires) };
    },
    consume: ({ id, expires }) => consumeKey(client, `device-link:${id}`, expires),
  };
}
