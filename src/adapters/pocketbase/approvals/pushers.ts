import type { Pushers } from '../../../approvals/ports.ts';
import type { StoreClient } from '../client.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { recordIdOf, recordsOf } from '../records/records-of.ts';

export function createPushers(client: StoreClient, seals: RecordSeals): Pushers {
  const pushers = recordsOf(client, 'pushers');
  return {
    async add({ repoId, pr, head, by }) {
      const id = recordIdOf(`pusher:${repoId}:${pr}:${head}:${by.id}`);
      const { id: github_id, login, isMachine: is_machine } = by;
      const fields = { id, repo_id: repoId, pr, head, github_id, login, is_machine };
      await pushers.createIfNew(seals.signed('pushers', fields));
    },

    async of(repoId, pr, head) {
      const wanted = { repoId, pr, head };
      const found = await pushers.all('repo_id = {:repoId} && pr = {:pr} && head = {:head}', wanted);
      // One that OTP Guard didn't write may have replaced the one who has to be excluded, so nobody is known.
      const areOurs = found.map((record) => seals.isOurs('pushers', record)).every(Boolean);
      return areOurs
        ? found.map(({ github_id: id, login, is_machine: isMachine }) => ({ id, login, isMachine }))
        : [];
    },
  };
}
