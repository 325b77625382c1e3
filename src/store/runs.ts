import type { RunRecord, Runs } from '../approvals/ports.ts';
import type { Clock } from '../clock.ts';
import { isDuplicate, type StoreClient } from './client.ts';

type CheckRunRecord = {
  id: string;
  attempt: number;
  check_run_id: number;
  state: string;
  since: string;
  updated: string;
};

/** When a run was written is told by our own clock: the record store can have another. */
export function createRuns(client: StoreClient, clock: Clock): Runs {
  const now = () => clock.now().toISOString();
  return {
    async latest(repoId, head) {
      const page = await client.run((records) =>
        records.collection('check_runs').getList<CheckRunRecord>(1, 1, {
          filter: records.filter('repo_id = {:repoId} && head = {:head}', { repoId, head }),
          sort: '-attempt',
          skipTotal: true,
        }),
      );
      return page.items[0] ? toRun(page.items[0]) : null;
    },
    async claim(repoId, head, attempt) {
      try {
        const record = await client.run((records) =>
          records
            .collection('check_runs')
            .create<CheckRunRecord>({ repo_id: repoId, head, attempt, since: now() }),
        );
        return toRun(record);
      } catch (error) {
        if (isDuplicate(error)) return null;
        throw error;
      }
    },
    async save(run, checkRunId, state) {
      await client.run((records) =>
        records.collection('check_runs').update(run.id, { check_run_id: checkRunId, state, since: now() }),
      );
    },
  };
}

function toRun(record: CheckRunRecord): RunRecord {
  return {
    id: record.id,
    attempt: record.attempt,
    checkRunId: record.check_run_id,
    state: record.state,
    since: new Date(record.since || record.updated),
  };
}
