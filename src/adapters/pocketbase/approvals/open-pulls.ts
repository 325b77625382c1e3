import type { OpenPull, OpenPulls, StoredRepository } from '../../../approvals/ports.ts';
import { first, ignoreMissing, type StoreClient, storeTime } from '../client.ts';
import { recordIdOf } from '../records/record-id.ts';
import { isActive } from '../schema/readers.ts';
import type { PullRecord } from './waiting-pulls.ts';

type LocatedRecord = PullRecord & {
  expand: { org: { org_id: number; name: string; installation_id: number } };
};

const LONGEST_TITLE = 250;
const INSTALLED = isActive('org');

const idOf = ({ repoId, pr }: Pick<OpenPull, 'repoId' | 'pr'>) => recordIdOf(`pull:${repoId}:${pr}`);

const refOf = (record: LocatedRecord) => {
  const { installation, owner, name } = toRepository(record);
  return { installation, owner, name };
};

export function createOpenPulls(client: StoreClient): OpenPulls {
  const remove = (filter: string, values: Record<string, unknown>, isKept: (pull: PullRecord) => boolean) =>
    client.run(async (records) => {
      const pulls = records.collection('open_pulls');
      const known = await pulls.getFullList<PullRecord>({ filter: records.filter(filter, values) });
      const gone = known.filter((pull) => !isKept(pull));
      for (const { id } of gone) await pulls.delete(id).catch(ignoreMissing);
    });

  return {
    async save(orgId, pulls, now) {
      await client.run(async (records) => {
        const org = await first<{ id: string }>(records, 'organizations', 'org_id = {:orgId}', { orgId });
        if (!org) return;
        for (const pull of pulls) {
          const known = await first<PullRecord>(records, 'open_pulls', 'id = {:id}', { id: idOf(pull) });
          // A transfer changes nothing but the organization.
          if (known?.org === org.id && isSame(known, pull)) continue;
          const since = known?.head === pull.head ? known.since : now.toISOString();
          const batch = records.createBatch();
          const fields = { ...toFields(pull), reviewers: pull.reviewers ?? known?.reviewers ?? null };
          const changed = now.toISOString();
          batch.collection('open_pulls').upsert({ id: idOf(pull), org: org.id, ...fields, since, changed });
          await batch.send();
        }
      });
    },

    async missingFrom(repoId, open) {
      const known = await client.run((records) =>
        records.collection('open_pulls').getFullList<PullRecord>({
          filter: records.filter('repo_id = {:repoId}', { repoId }),
          fields: 'pr',
        }),
      );
      return known.map(({ pr }) => pr).filter((pr) => !open.includes(pr));
    },

    async numbersWithHead(repoId, head) {
      const known = await client.run((records) =>
        records.collection('open_pulls').getFullList<PullRecord>({
          filter: records.filter('repo_id = {:repoId} && head = {:head}', { repoId, head }),
          fields: 'pr',
        }),
      );
      return known.map(({ pr }) => pr);
    },

    async repositories(by, most) {
      const found = await client.run((records) =>
        records.collection('open_pulls').getList<LocatedRecord>(1, most, {
          filter:
            'repoId' in by
              ? records.filter('org.installation_id != 0 && repo_id = {:repoId}', by)
              : records.filter('org.installation_id != 0 && pr = {:pr} && head = {:head}', by),
          sort: '-since',
          expand: 'org',
          skipTotal: true,
        }),
      );
      return found.items.map(toRepository);
    },

    async ofRepository(repoId) {
      return client.run((records) =>
        records.collection('open_pulls').getFullList<PullRecord>({
          filter: records.filter('repo_id = {:repoId}', { repoId }),
          fields: 'pr,head,base,approved',
        }),
      );
    },

    async greenRepositories() {
      const found = await client.run((records) =>
        records.collection('open_pulls').getFullList<LocatedRecord>({
          filter: `approved = true && ${INSTALLED}`,
          sort: 'repo_id',
          expand: 'org',
        }),
      );
      return [...new Map(found.map((pull) => [pull.repo_id, { id: pull.repo_id, ...refOf(pull) }])).values()];
    },

    async remove(repoId, pr) {
      await client.run((records) =>
        records.collection('open_pulls').delete(idOf({ repoId, pr })).catch(ignoreMissing),
      );
    },

    removeRepository: (repoId) => remove('repo_id = {:repoId}', { repoId }, () => false),

    async removeOtherRepositories(orgId, repoIds) {
      const kept = new Set(repoIds);
      await remove('org.org_id = {:orgId}', { orgId }, ({ repo_id }) => kept.has(repo_id));
    },

    async takeLeastRecentlyCompared(most, now) {
      return client.run(async (records) => {
        const found = await records.collection('open_pulls').getList<LocatedRecord>(1, most, {
          filter: INSTALLED,
          sort: 'compared,-since',
          expand: 'org',
          skipTotal: true,
        });
        for (const { id } of found.items) {
          await records
            .collection('open_pulls')
            .update(id, { compared: now.toISOString() })
            .catch(ignoreMissing);
        }
        return found.items.map((pull) => ({ repo: refOf(pull), repoId: pull.repo_id, head: pull.head }));
      });
    },
  };
}

function toFields({
  repoId,
  repoName,
  pr,
  title,
  author,
  head,
  base,
  approved,
  opened,
  reviewers,
  lacks,
}: OpenPull): Omit<PullRecord, 'id' | 'org' | 'since' | 'changed'> {
  // The record store limits the length of a text, and a title is only shown.
  return {
    repo_id: repoId,
    repo_name: repoName,
    pr,
    title: Array.from(title).slice(0, LONGEST_TITLE).join(''),
    author,
    head,
    base,
    approved,
    opened: storeTime(opened),
    reviewers,
    lacks,
  };
}

function isSame(known: PullRecord, pull: OpenPull): boolean {
  return Object.entries(toFields(pull)).every(
    ([name, value]) =>
      (name === 'reviewers' && value === null) ||
      JSON.stringify(known[name as keyof PullRecord]) === JSON.stringify(value),
  );
}

function toRepository({ repo_id, repo_name, expand: { org } }: LocatedRecord): StoredRepository {
  return {
    id: repo_id,
    name: repo_name,
    owner: org.name,
    ownerId: org.org_id,
    installation: org.installation_id,
  };
}
