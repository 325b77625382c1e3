import type { BatchService } from 'pocketbase';
import type { CheckRunRecord, CheckRunRecords } from '../../approvals/ports.ts';
import type { Clock } from '../../clock.ts';
import { createIfNew, type StoreClient } from '../client.ts';

type StoredCheckRun = {
  id: string;
  attempt: number;
  check_run_id: number;
  state: string;
  since: string;
  updated: string;
};

/** Times are our own clock's: the record store's clock can differ. */
export function createCheckRunRecords(client: StoreClient, clock: Clock): CheckRunRecords {
  return {
    async latest(repoId, head) {
      const page = await client.run((records) =>
        records.collection('check_runs').getList<StoredCheckRun>(1, 1, {
          filter: records.filter('repo_id = {:repoId} && head = {:head}', { repoId, head }),
          sort: '-attempt',
          skipTotal: true,
        }),
      );
      return page.items[0] ? toRun(page.items[0]) : null;
    },
    async attempts(repoId, head) {
      const filter = 'repo_id = {:repoId} && head = {:head}';
      const found = await client.run((records) =>
        records
          .collection('check_runs')
          .getFullList<StoredCheckRun>({ filter: records.filter(filter, { repoId, head }) }),
      );
      return found.map(toRun);
    },
    async claim(repoId, head, attempt) {
      const fields = { repo_id: repoId, head, attempt, since: clock.now().toISOString() };
      const record = await createIfNew(() =>
        client.run((records) => records.collection('check_runs').create<StoredCheckRun>(fields)),
      );
      return record && toRun(record);
    },
    async save(run, checkRunId, state) {
      await client.run((records) =>
        records.collection('check_runs').update(run.id, toSaved(checkRunId, state, clock.now())),
      );
    },
  };
}

const toSaved = (checkRunId: number, state: string, now: Date) => ({
  check_run_id: checkRunId,
  state,
  since: now.toISOString(),
});

/** As `save`, together with something else. */
export function saveRunInBatch(batch: BatchService, run: CheckRunRecord, now: Date): void {
  batch.collection('check_runs').update(run.id, toSaved(run.checkRunId, run.state, now));
}

function toRun(record: StoredCheckRun): CheckRunRecord {
  return {
    id: record.id,
    attempt: record.attempt,
    checkRunId: record.check_run_id,
    state: record.state,
    since: new Date(record.since || record.updated),
  };
}
