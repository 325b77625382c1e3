import type { CheckRunRecord, CheckRunRecords, RunState } from '../../../approvals/ports.ts';
import type { Clock } from '../../../shared/clock.ts';
import { createIfNew, type StoreClient } from '../client.ts';

type StoredCheckRun = {
  id: string;
  attempt: number;
  check_run_id: number;
  phase: RunState['phase'];
  fingerprint: string;
  may_be_green: boolean;
  since: string;
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
      const fields = { repo_id: repoId, head, attempt, phase: 'creating', since: clock.now().toISOString() };
      const record = await createIfNew(() =>
        client.run((records) => records.collection('check_runs').create<StoredCheckRun>(fields)),
      );
      return record && toRun(record);
    },
    async save(run, checkRunId, { phase, fingerprint, mayBeGreen }) {
      const since = clock.now().toISOString();
      const fields = { check_run_id: checkRunId, phase, fingerprint, may_be_green: mayBeGreen, since };
      await client.run((records) => records.collection('check_runs').update(run.id, fields));
    },
  };
}

function toRun(record: StoredCheckRun): CheckRunRecord {
  return {
    id: record.id,
    attempt: record.attempt,
    checkRunId: record.check_run_id,
    phase: record.phase,
    fingerprint: record.fingerprint,
    mayBeGreen: record.may_be_green,
    since: new Date(record.since),
  };
}
