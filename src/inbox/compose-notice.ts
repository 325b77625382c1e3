import type { NewNotice, NoticedPull } from '../notices/ports.ts';
import { type Origins, shortApprovalUrl } from '../shared/links.ts';
import type { PullHead, Reader } from './ports.ts';
import type { AskedPull, IsCurrent } from './readable-pulls.ts';

/** An e-mail names so many pull requests, and counts the others. */
const MOST_NAMED = 10;
/** So many heads one e-mail uses up: they're stored in one step with it. */
const MOST_HEADS = 40;

/** Of one reader, in the order in which they're named. */
export type ReadablePull = AskedPull & { reader: Reader };

/**
 * The e-mail about these pull requests, and the heads that it uses up; null if
 * none of them is as we know it. `more` that aren't among them wait too.
 * `isWhole` is false if a later e-mail has to be about the rest.
 */
export async function composeNotice(
  { origins, isCurrent }: { origins: Origins; isCurrent: IsCurrent },
  kind: 'pullsWait' | 'pullsDigest',
  { userId, readable, more }: { userId: string; readable: ReadablePull[]; more: number },
): Promise<{ notice: NewNotice; heads: PullHead[]; isWhole: boolean } | null> {
  const named: ReadablePull[] = [];
  for (const one of readable.slice(0, MOST_HEADS)) {
    if (named.length === MOST_NAMED) break;
    if (await isCurrent(one.reader, one.pull)) named.push(one);
  }
  if (named.length === 0) return null;
  const rest = readable.slice(readable.indexOf(named.at(-1) as ReadablePull) + 1);
  const counted = named.length === MOST_NAMED ? rest : [];
  const used = [...named, ...counted.slice(0, MOST_HEADS - MOST_NAMED)];
  const pulls = named.map((one) => toNoticed(origins, one));
  const data = { pulls, more: more + counted.length, origin: origins.publicUrl };
  const heads = used.map(({ pull }) => headOf(pull));
  return { notice: { kind, userId, data }, heads, isWhole: readable.length <= MOST_HEADS };
}

const headOf = ({ repoId, pr, head }: PullHead): PullHead => ({ repoId, pr, head });

function toNoticed(origins: Origins, { pull, asked, reader: { org } }: ReadablePull): NoticedPull {
  const { repoId, repoName, pr, title, head } = pull;
  const repo = { id: repoId, owner: org.name, name: repoName, ownerId: org.orgId };
  return {
    name: `${org.name}/${repoName}#${pr}`,
    title,
    asked,
    url: shortApprovalUrl(origins, { installation: org.installationId }, { number: pr, head, repo }),
  };
}
