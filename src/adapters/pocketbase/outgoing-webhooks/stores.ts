import type { BatchService } from 'pocketbase';
import type { Sealer } from '../../../authenticators/seal.ts';
import type { DeliveryState, OutgoingWebhook, OutgoingWebhooks } from '../../../outgoing-webhooks/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { type StoreClient, storeTime, tryToStore } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { type RecordSeals, sealContext } from '../records/record-seals.ts';
import { newRecordId, recordsOf, type Wanted } from '../records/records-of.ts';

type OrganizationFields = Pick<RecordOf<'organizations'>, 'org_id' | 'name' | 'installation_id'>;
/** `url` and `secret` are sealed. */
type OutgoingWebhookRecord = RecordOf<'hooks'> & { expand?: { org?: OrganizationFields } };
/** A row of the view of hooks that have something to deliver. */
type Work = Pick<RecordOf<'hooks'>, 'id' | 'org' | 'kind'> & OrganizationFields;

const timeOf = (date: Date | null) => (date ? storeTime(date) : '');

export function createOutgoingWebhooks(
  client: StoreClient,
  log: ActivityLog,
  { sealer, seals }: { sealer: Sealer; seals: RecordSeals },
): OutgoingWebhooks {
  // Hooks are read with their sealed texts, which only `open` opens.
  const sealedOf = new WeakMap<OutgoingWebhook, OutgoingWebhookRecord>();

  const toHook = (record: OutgoingWebhookRecord): OutgoingWebhook[] => {
    const { org } = record.expand ?? {};
    if (!org || !seals.isOurs('hooks', record)) return [];
    const { id, kind, host, stopped } = record;
    const hook = { id, org: toOrg(record.org, org), kind, host, stopped, state: toState(record) };
    sealedOf.set(hook, record);
    return [hook];
  };

  const stored = recordsOf<OutgoingWebhookRecord>(client, 'hooks');
  const read = (wanted: Wanted<OutgoingWebhookRecord>) =>
    stored.all(wanted, { sort: 'due,id', expand: 'org' });

  const ofOrganization = async (org: string) =>
    (await read({ org })).sort((one, other) => other.kind.localeCompare(one.kind));

  /** False if the record is gone, or if there's another one of its kind. */
  const change = (effects: Parameters<OutgoingWebhooks['set']>[2], work: (batch: BatchService) => void) =>
    tryToStore(() => log.send(effects, { change: work }));

  return {
    of: async (org) => (await ofOrganization(org)).flatMap(toHook),

    open(hook) {
      const record = sealedOf.get(hook);
      if (!record) throw new Error('this hook was not read from the record store');
      const text = (field: 'url' | 'secret') =>
        Buffer.from(sealer.open(record[field], sealContext('hooks', record.id, field))).toString();
      return { url: text('url'), secret: text('secret') };
    },

    async set(org, { kind, url, secret, host, position, at }, effects) {
      const id = newRecordId();
      const seal = (field: 'url' | 'secret', text: string) =>
        sealer.seal(Buffer.from(text), sealContext('hooks', id, field));
      const fields = { id, org: org.id, kind, host, url: seal('url', url), secret: seal('secret', secret) };
      const record = seals.signed('hooks', fields, { org: { org_id: org.orgId } });
      const progress = { position, pulls_from: timeOf(at), delivered: [], due: timeOf(at) };
      // The new record also replaces a record that we didn't write.
      const former = (await ofOrganization(org.id)).filter((record) => record.kind === kind);
      const isSet = await change(effects, (batch) => {
        for (const { id } of former) batch.collection('hooks').delete(id);
        batch.collection('hooks').create({ ...record, ...progress });
      });
      const [hook] = isSet ? (await read({ id })).flatMap(toHook) : [];
      return hook ?? null;
    },

    remove: ({ id }, effects) => change(effects, (batch) => batch.collection('hooks').delete(id)),

    stop: ({ id }, effects) =>
      change(effects, (batch) => batch.collection('hooks').update(id, { stopped: true })),

    async due(now, most) {
      const isDue: Wanted<object> = ['due <= {:now}', { now: timeOf(now) }];
      const work = await recordsOf<Work>(client, 'hook_work').page(most, isDue, { sort: 'due,id' });
      return work.map(({ id, org, kind, ...fields }) => ({ id, org: toOrg(org, fields), kind }));
    },

    save: ({ id }, state) => stored.updateIfThere(id, toFields(state)),
  };
}

const toOrg = (id: string, { org_id: orgId, name, installation_id: installationId }: OrganizationFields) => ({
  id,
  orgId,
  name,
  installationId,
});

function toState(record: OutgoingWebhookRecord): DeliveryState {
  const { position, pulls_from, delivered, tries, failing_since, due, last_at, last_outcome } = record;
  return {
    position,
    pullsFrom: new Date(pulls_from),
    delivered: delivered ?? [],
    tries,
    failingSince: failing_since ? new Date(failing_since) : null,
    due: new Date(due),
    last: last_at && last_outcome ? { at: new Date(last_at), outcome: last_outcome } : null,
  };
}

function toFields(state: Partial<DeliveryState>) {
  const { position, pullsFrom, delivered, tries, failingSince, due, last } = state;
  return {
    position,
    pulls_from: pullsFrom && timeOf(pullsFrom),
    delivered,
    tries,
    failing_since: failingSince === undefined ? undefined : timeOf(failingSince),
    due: due && timeOf(due),
    ...(last && { last_at: timeOf(last.at), last_outcome: last.outcome }),
  };
}
