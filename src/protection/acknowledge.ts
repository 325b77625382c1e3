import { type ProblemCode, problems } from '../contract/problems.ts';
import type { Weakening } from '../contract/protection.ts';
import { changeSentence } from '../contract/protection-words.ts';
import type { Organization } from '../organizations/ports.ts';
import type { Session } from '../people/ports.ts';
import type { WatchDeps } from './deps.ts';
import type { AccountProtection, Actor, StoredWeakening } from './ports.ts';
import { worstFirst } from './severity.ts';

/** Who could acknowledge a weakening, as far as we know. */
type Circle = {
  /** The organization's owners; null if GitHub doesn't list them. */
  owners: Actor[] | null;
  /** All whose promotion nobody acknowledged. */
  promoted: number[];
};

type Refusal = Extract<ProblemCode, 'ownChange' | 'newOwner'>;

/** More names than this help nobody to choose. */
const MOST_NAMED = 3;

/** Names the owners who can acknowledge it, if they're known and few. */
function ownChangeSentence(others: Actor[]): string | undefined {
  if (others.length === 0 || others.length > MOST_NAMED) return undefined;
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(others.map(({ login }) => login));
  return `You made this change. Ask ${names} to acknowledge it.`;
}

/**
 * Why an owner can't acknowledge a weakening; null if they can. A person other than the one who did it has to look, and
 * not an owner whose own promotion nobody has acknowledged. If no other owner is left who counts, they do it alone.
 */
export function refusalOf(
  weakening: Pick<StoredWeakening, 'by' | 'person'>,
  owner: { githubId: number },
  { owners, promoted: unacknowledged }: Circle,
): { refusal: Refusal | null; sentence: string; isAlone: boolean } {
  const isOwn = (actor: Actor | null) => actor?.id === owner.githubId;
  const promoted = new Set(unacknowledged);
  // GitHub made them an owner since we last read the list.
  if (owners && !owners.some(isOwn)) promoted.add(owner.githubId);
  const settled = (owners ?? []).filter(({ id }) => !promoted.has(id));
  const circle = settled.length > 0 ? settled : (owners ?? []);
  const isAlone = circle.length === 1 && circle.some(isOwn);
  const others = circle.filter(({ id }) => id !== owner.githubId && id !== weakening.person?.id);
  const refused = (refusal: Refusal, sentence: string = problems[refusal][1]) => ({
    refusal,
    sentence,
    isAlone,
  });
  if (isAlone) return { refusal: null, sentence: '', isAlone };
  if (isOwn(weakening.by)) return refused('ownChange', ownChangeSentence(others));
  const isNew = promoted.has(owner.githubId) && (owners === null || settled.length > 0);
  if (isOwn(weakening.person) || isNew) return refused('newOwner');
  return { refusal: null, sentence: '', isAlone };
}

/** The facts of a weakening that people read, with the name that the store keeps apart. */
export const namedChange = ({ change, person }: Pick<StoredWeakening, 'change' | 'person'>) => ({
  ...change,
  subject: change.subject || (person?.login ?? ''),
});

const MOST_LISTED = 100;

/**
 * The weakenings that nobody acknowledged, worst first, as an owner reads them, and the number of all. Whether they can
 * acknowledge one is from what we last knew of the owners: `acknowledge` asks GitHub again.
 */
export async function openWeakenings(
  { weakenings, knownAccounts }: Pick<WatchDeps, 'weakenings' | 'knownAccounts'>,
  org: Organization,
  owner: Session,
): Promise<{ weakenings: Weakening[]; weakeningsTotal: number }> {
  const open = await weakenings.open(org.id);
  if (open.length === 0) return { weakenings: [], weakeningsTotal: 0 };
  const owners = ownersOf(org, await knownAccounts.get(org.id));
  const promoted = await weakenings.promoted(org.id);
  const judged = open.map((one) => ({ ...one, ...refusalOf(one, owner, { owners, promoted }) }));
  // A row of keys then has a weakening that this owner can acknowledge, if there is one.
  const theirsFirst = judged.toSorted((a, b) => Number(a.refusal !== null) - Number(b.refusal !== null));
  const listed = worstFirst(theirsFirst, MOST_LISTED).map(({ first: one, more }): Weakening => {
    const change = namedChange(one);
    const by = one.by?.login ?? null;
    const { refusal, sentence, isAlone } = one;
    return {
      entry: one.entry,
      at: one.at.toISOString(),
      change,
      by,
      isAlone,
      text: changeSentence(change, by),
      undone: one.undone?.toISOString() ?? null,
      refusal: refusal && sentence,
      more,
    };
  });
  return { weakenings: listed, weakeningsTotal: open.length };
}

/** The owners as we know them; a personal account is its own. */
export function ownersOf(
  { accountType, orgId: id, name: login }: Organization,
  protection: AccountProtection | null,
) {
  return accountType === 'User' ? [{ id, login }] : (protection?.owners ?? null);
}
