import type { LoggedOrganizations } from '../../receipts/ports.ts';
import type { StoreClient } from '../client.ts';

export const createLoggedOrganizations = (client: StoreClient): LoggedOrganizations => ({
  async list(most) {
    const found = await client.run((records) =>
      records.collection('organizations').getList<{ id: string; org_id: number }>(1, most, {
        sort: 'created,id',
        fields: 'id,org_id',
        skipTotal: true,
      }),
    );
    return found.items.map(({ id, org_id }) => ({ id, orgId: org_id }));
  },
});
