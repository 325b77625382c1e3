import type { OpenPull } from '../../../approvals/ports.ts';
import type { WaitingPulls } from '../../../inbox/ports.ts';
import type { PullSearch } from '../../../organizations/ports.ts';
import { type StoreClient, storeTime } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { contains, createDatedCount } from '../records/count.ts';
import { recordsOf } from '../records/records-of.ts';

type PullRecord = RecordOf<'open_pulls'>;

/** The filter for the open pull requests of the organization `org` that wait for an approval. */
const WAITING = 'org = {:org} && approved = false';
/** The filter for pull requests that pass. */
const PASSING = 'org = {:org} && approved = true';

/** The records behind a position in the order of `since,id`. The index serves the first comparison. */
const FOLLOWS = ' && since >= {:since} && (since > {:since} || id > {:id})';
const IN_ORDER = { sort: 'since,id' };

/** Where a record is in that order. */
const positionOf = ({ since, id }: PullRecord): string => `${since}/${id}`;

/** The values of `FOLLOWS`. */
function parsePosition(position: string): { since: string; id: string } {
  const [since = '', id = ''] = position.split('/');
  return { since, id };
}

const PAGE = 1_000;

export function createWaitingPulls(client: StoreClient): WaitingPulls {
  const pulls = recordsOf(client, 'open_pulls');
  return {
    async list(org, most) {
      const records: PullRecord[] = [];
      let page: PullRecord[];
      do {
        const last = records.at(-1);
        const wanted = last ? `${WAITING}${FOLLOWS}` : WAITING;
        const values = { org, since: last?.since, id: last?.id };
        page = await pulls.page(Math.min(PAGE, most - records.length), [wanted, values], IN_ORDER);
        records.push(...page);
      } while (page.length === PAGE && records.length < most);
      return records.map(toPull);
    },

    async changedSince(org, since, most) {
      const values = { org, from: storeTime(since) };
      const options = { sort: '-changed,-id' };
      return (await pulls.page(most, [`${WAITING} && changed >= {:from}`, values], options)).map(toPull);
    },

    async since(org, from, { number: page, size }) {
      const values = { org, from: storeTime(from) };
      const options = { ...IN_ORDER, page };
      return (await pulls.page(size, [`${WAITING} && since >= {:from}`, values], options)).map(toPull);
    },
  };
}

/** The saved pull request, since when its head waits, and when that last changed. */
function toPull(record: PullRecord): OpenPull & { since: Date; changed: Date } {
  const { repo_id: repoId, repo_name: repoName, pr, title, author, head, base, approved } = record;
  const { reviewers, lacks, denied, agents } = record;
  return {
    repoId,
    repoName,
    pr,
    title,
    author,
    head,
    base,
    approved,
    reviewers,
    denied,
    agents: agents || null,
    since: new Date(record.since),
    opened: new Date(record.opened),
    changed: new Date(record.changed),
    lacks: lacks ?? [],
  };
}

const MATCHES = ' && (title ~ {:text} || repo_name ~ {:text} || author ~ {:text})';

/** The text that the stored lacks contain if one of them is about this rule. */
const lackOf = (rule: string) => `"rule":${JSON.stringify(rule)}`;

/** The pull requests of an organization that wait, for its owners. */
export function createPullSearch(client: StoreClient): PullSearch {
  const pulls = recordsOf(client, 'open_pulls');
  const count = createDatedCount(client);
  return {
    async list(orgRecordId, { search, after, most, repo, rule, until, approved = false }) {
      const wanted = [
        approved ? PASSING : WAITING,
        search && MATCHES,
        repo !== undefined && ' && repo_name = {:repo}',
        rule !== undefined && ' && lacks ~ {:rule}',
        until && ' && since <= {:until}',
      ]
        .filter(Boolean)
        .join('');
      const values = {
        org: orgRecordId,
        text: contains(search),
        repo,
        ...parsePosition(after),
        rule: rule !== undefined && contains(lackOf(rule)),
        until: until && storeTime(until),
      };
      const [counted, page] = await Promise.all([
        count('open_pulls', wanted, values),
        pulls.page(most + 1, [`${wanted}${after && FOLLOWS}`, values], IN_ORDER),
      ]);
      const shown = page.slice(0, most);
      const last = page.length > most ? shown.at(-1) : undefined;
      return { ...counted, pulls: shown.map(toPull), next: last ? positionOf(last) : null };
    },
  };
}
