import type { Pushers } from '../../../approvals/ports.ts';
import type { Contributor } from '../../../policies/facts.ts';
import { createIfNew, type StoreClient } from '../client.ts';
import { recordIdOf } from '../records/record-id.ts';
import type { RecordSeals } from '../records/record-seals.ts';

type PusherRecord = { id: string; github_id: number; login: string; is_machine: boolean; mac: string };

export function createPushers(client: StoreClient, seals: RecordSeals): Pushers {
  return {
    async add({ repoId, pr, head, by }) {
      const id = recordIdOf(`pusher:${repoId}:${pr}:${head}:${by.id}`);
      const { id: github_id, login, isMachine: is_machine } = by;
      const covered = { id, repo_id: repoId, pr, head, github_id, login, is_machine };
      const fields = { ...covered, mac: seals.macOf('pushers', covered) };
      await createIfNew(() => client.run((records) => records.collection('pushers').create(fields)));
    },

    async of(repoId, pr, head) {
      const filter = 'repo_id = {:repoId} && pr = {:pr} && head = {:head}';
      const found = await client.run((records) =>
        records.collection('pushers').getFullList<PusherRecord>({
          filter: records.filter(filter, { repoId, pr, head }),
        }),
      );
      // One that OTP Guard didn't write may have replaced the one who has to be excluded, so nobody is known.
      const areOurs = found.map((record) => seals.isOurs('pushers', record)).every(Boolean);
      return areOurs ? found.map(toContributor) : [];
    },
  };
}

const toContributor = ({ github_id, login, is_machine }: PusherRecord): Contributor => ({
  id: github_id,
  login,
  isMachine: is_machine,
});
