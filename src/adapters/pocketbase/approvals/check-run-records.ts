import type { CheckRunRecord, CheckRunRecords } from '../../../approvals/ports.ts';
import type { StoreClient } from '../client.ts';
import { recordsOf } from '../records/records-of.ts';
import type { RecordOf } from '../schema/collections.ts';

/** Times are our own clock's: the record store's clock can differ. */
export function createCheckRunRecords(client: StoreClient, clock = client.clock): CheckRunRecords {
  const runs = recordsOf(client, 'check_runs');
  return {
    async latest(repoId, head) {
      const latest = await runs.first({ repo_id: repoId, head }, { sort: '-attempt' });
      return latest && toRun(latest);
    },
    async attempts(repoId, head) {
      return (await runs.all({ repo_id: repoId, head })).map(toRun);
    },
    async claim(repoId, head, attempt) {
      const since = clock.now().toISOString();
      const made = await runs.createIfNew({ repo_id: repoId, head, attempt, phase: 'creating', since });
      return made && toRun(made);
    },
    async save(run, checkRunId, { phase, fingerprint, mayBeGreen }) {
      const since = clock.now().toISOString();
      const state = { phase, fingerprint, may_be_green: mayBeGreen };
      await runs.update(run.id, { check_run_id: checkRunId, ...state, since });
    },
  };
}

function toRun(record: RecordOf<'check_runs'>): CheckRunRecord {
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
