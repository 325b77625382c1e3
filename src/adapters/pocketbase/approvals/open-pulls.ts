import type { OpenPull, OpenPulls, StoredRepository } from '../../../approvals/ports.ts';
import { sha256OfJson } from '../../../shared/crypto.ts';
import { type StoreClient, sendBatch, sendBatches, storeTime, tryToStore } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { recordIdOf, recordsOf, type Wanted } from '../records/records-of.ts';
import { storableLacks } from '../schema/fields.ts';
import { isActive } from '../schema/readers.ts';

type PullRecord = RecordOf<'open_pulls'>;
type LocatedRecord = PullRecord & {
  expand: { org: { org_id: number; name: string; installation_id: number } };
};

const LONGEST_TITLE = 250;
const INSTALLED = isActive('org');

const idOf = ({ repoId, pr }: Pick<OpenPull, 'repoId' | 'pr'>) => recordIdOf(`pull:${repoId}:${pr}`);

export function createOpenPulls(client: StoreClient): OpenPulls {
  const pulls = recordsOf(client, 'open_pulls');
  const located = recordsOf<LocatedRecord>(client, 'open_pulls');
  const remove = async (wanted: Wanted<PullRecord>, isGone: (pull: PullRecord) => boolean) => {
    for (const { id } of (await pulls.all(wanted)).filter(isGone)) await pulls.delete(id);
  };

  return {
    async save(orgId, open, now) {
      const [org, known] = await Promise.all([
        recordsOf(client, 'organizations').first({ org_id: orgId }),
        Promise.all(open.map((pull) => pulls.first({ id: idOf(pull) }))),
      ]);
      if (!org) return;
      for (const [index, pull] of open.entries()) {
        const before = known[index];
        // A transfer changes nothing but the organization.
        if (before?.org === org.id && isSame(before, pull)) continue;
        const changed = now.toISOString();
        const since = before?.head === pull.head ? before.since : changed;
        const fields = { ...toFields(pull), reviewers: pull.reviewers ?? before?.reviewers ?? null };
        await sendBatch(client, (batch) =>
          batch.collection('open_pulls').upsert({ id: idOf(pull), org: org.id, ...fields, since, changed }),
        );
      }
    },

    saveAgain: (open, now) =>
      tryToStore(() =>
        sendBatches(client, open, (batch, pull) => {
          const { reviewers, ...fields } = toFields(pull);
          const changed = { ...fields, ...(reviewers && { reviewers }), changed: now.toISOString() };
          batch.collection('open_pulls').update(idOf(pull), changed);
        }),
      ),

    withHead: (repoId, head) => pulls.all({ repo_id: repoId, head }, { fields: 'pr,base' }),

    async readSaved(repoId) {
      const found = await located.all({ repo_id: repoId }, { expand: 'org' });
      return {
        withHead: (head) => found.filter((record) => record.head === head),
        isSaved(orgId, pull) {
          const known = found.find(({ pr }) => pr === pull.pr);
          return known?.expand.org.org_id === orgId && isSame(known, pull);
        },
      };
    },

    async repositories(by, most) {
      const wanted = 'repoId' in by ? 'repo_id = {:repoId}' : 'pr = {:pr} && head = {:head}';
      const options = { sort: '-since', expand: 'org' };
      const found = await located.page(most, [`org.installation_id != 0 && ${wanted}`, by], options);
      return found.map(toRepository);
    },

    ofRepository: (repoId) => pulls.all({ repo_id: repoId }, { fields: 'pr,head,base,approved' }),

    async find(orgId, pull) {
      const found = await located.first({ id: idOf(pull) }, { expand: 'org' });
      if (found?.expand.org.org_id !== orgId) return null;
      const { author, opened, head, base } = found;
      return { author, opened: new Date(opened), head, base };
    },

    async greenRepositories() {
      const options = { sort: 'repo_id', expand: 'org' };
      const found = await located.all([`approved = true && ${INSTALLED}`], options);
      return [...new Map(found.map((pull) => [pull.repo_id, toRepository(pull)])).values()];
    },

    remove: (repoId, pr) => pulls.delete(idOf({ repoId, pr })),

    removeRepository: (repoId) => remove({ repo_id: repoId }, () => true),

    async removeOtherRepositories(orgId, repoIds) {
      const kept = new Set(repoIds);
      await remove(['org.org_id = {:orgId}', { orgId }], ({ repo_id }) => !kept.has(repo_id));
    },
  };
}

function toFields(pull: OpenPull): Omit<PullRecord, 'id' | 'org' | 'since' | 'changed'> {
  const { repoId: repo_id, repoName: repo_name, title, opened, lacks, agents, ...fields } = pull;
  return {
    ...fields,
    repo_id,
    repo_name,
    agents: agents ?? '',
    lacks: storableLacks(lacks),
    // The record store limits the length of a text, and a title is only shown.
    title: Array.from(title).slice(0, LONGEST_TITLE).join(''),
    opened: storeTime(opened),
  };
}

/** The record store sorts the keys of what it saves as JSON, so the order of keys says nothing. */
function isSame(record: PullRecord, pull: OpenPull): boolean {
  return Object.entries(toFields(pull)).every(
    ([name, value]) =>
      (name === 'reviewers' && value === null) ||
      sha256OfJson(record[name as keyof PullRecord]) === sha256OfJson(value),
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
