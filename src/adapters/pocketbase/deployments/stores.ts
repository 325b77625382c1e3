import type { DeploymentKey } from '../../../approvals/ports.ts';
import type { DeploymentState } from '../../../contract/deployments.ts';
import { type Deployment, type Deployments, nameOf } from '../../../deployments/ports.ts';
import type { StoreDeps } from '../audit/activity-log.ts';
import type { RecordOf } from '../collections.ts';
import { recordIdOf, recordsOf, toRepository } from '../records/records-of.ts';
import { storableLacks } from '../schema/fields.ts';

type DeploymentRecord = RecordOf<'deployments'>;

/** The record's id, so that two processes never store one request twice. */
export const deploymentId = (key: DeploymentKey): string => recordIdOf(`deployment:${nameOf(key)}`);

export function createDeployments({ client, seals }: Pick<StoreDeps, 'client' | 'seals'>): Deployments {
  const deployments = recordsOf(client, 'deployments');
  const now = () => client.clock.now().toISOString();
  const onlyOurs = (found: DeploymentRecord[]) =>
    found.filter((record) => seals.isOurs('deployments', record)).map(toDeployment);
  return {
    async request({ repo, repoId: repo_id, orgId: org_id, ...deployment }) {
      const { run, attempt, environment, head, ref, event, workflow } = deployment;
      const id = deploymentId({ repoId: repo_id, run, attempt, environment });
      const covered = { id, repo_id, org_id, run, attempt, environment, head, ref, event, workflow };
      const made = await deployments.createIfNew({
        ...seals.signed('deployments', covered),
        installation_id: repo.installation,
        repo_name: `${repo.owner}/${repo.name}`,
        state: 'waiting',
        since: now(),
        due: now(),
      });
      if (!made) await deployments.update(id, { due: now() });
    },

    async find(key) {
      const found = await deployments.first({ id: deploymentId(key) });
      return (found && onlyOurs([found])[0]) ?? null;
    },

    due: async () => onlyOurs(await deployments.all(['due > synced'], { sort: 'due' })),

    async waiting(orgId) {
      const wanted = { state: 'waiting', ...(orgId !== undefined && { org_id: orgId }) };
      return onlyOurs(await deployments.all(wanted, { sort: 'since' }));
    },

    async repositories(since) {
      const found = await deployments.all(['since > {:since}', { since: since.toISOString() }], {
        fields: 'id,repo_id,org_id,repo_name,installation_id',
      });
      const byId = new Map(found.map((record) => [record.repo_id, record]));
      return [...byId.values()].map((record) => ({
        repo: toRepository(record),
        repoId: record.repo_id,
        orgId: record.org_id,
      }));
    },

    async save({ id }, { since, synced, changed, lacks, isReminded, ...fields }) {
      await deployments.update(id, {
        ...fields,
        ...(lacks && { lacks: storableLacks(lacks) }),
        ...(since && { since: since.toISOString() }),
        ...(changed && { changed: changed.toISOString() }),
        ...(synced && { synced: synced.toISOString() }),
        ...(isReminded !== undefined && { reminded: isReminded }),
      });
    },
  };
}

function toDeployment(record: DeploymentRecord): Deployment {
  const { id, run, attempt, environment, head, ref, event, workflow, shown, reports } = record;
  return {
    ...{ id, run, attempt, environment, head, ref, event, workflow, shown, reports },
    repoId: record.repo_id,
    orgId: record.org_id,
    repo: toRepository(record),
    state: record.state as DeploymentState,
    since: new Date(record.since),
    due: new Date(record.due),
    synced: new Date(record.synced || 0),
    isReminded: record.reminded,
    lacks: record.lacks ?? [],
    denied: record.denied,
    changed: new Date(record.changed || 0),
  };
}
