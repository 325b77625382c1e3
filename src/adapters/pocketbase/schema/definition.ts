import type { AllowedQuery } from '../../../contract/record-queries.ts';
import { type Field, mac } from './fields.ts';

/** All that the product knows of one collection. Each answer but `readers` is required, so that a new one forgets none. */
export type CollectionDefinition<Name extends string = string> = {
  fields: Field[];
  /** The columns of each index, which may begin with `UNIQUE ` and end with a `WHERE` clause. */
  indexes: string[];
  /** Without this, the server alone reads the records. */
  readers?: Readers;
  /** The names that a record's MAC covers: those of fields, and `RelatedId`s. Null if no record has a MAC. */
  mac: readonly string[] | null;
  /** The covered fields that are encrypted under `SECRET_KEY`. `sealContext` takes no other one. */
  sealed?: readonly Name[];
  /**
   * The fields that a rotation of the key saves as it read them, together with the MAC. A credential's use changes its counter, and a
   * MAC of an older counter would spoil the record. A group whose verdict came in the meantime is judged again.
   */
  savedWithMac?: readonly Name[];
  /** The fields that change once in a record, together with its MAC. */
  changesOnce?: readonly Name[];
  expires: Expiry<Name> | 'never';
  people: People<Name>;
  restored: Restored;
};

/** GitHub's id of the related person or organization, so that no other id can be put into their record. */
type RelatedId = 'user_github_id' | 'org_github_id';

/**
 * Checks that a collection's seals, expiry and people only speak of its own fields.
 *
 * @param definition.covered The fields that the record's MAC covers: each that decides. Labels, names of repositories
 *   and times of use are among the other fields, because they're for display. Null if no record has a MAC.
 */
export const define = <
  F extends Field,
  C extends Field = never,
  const Sealed extends readonly NoInfer<C>['name'][] = [],
>({
  covered,
  coveredIds = [],
  fields,
  ...rest
}: { covered: C[] | null; coveredIds?: RelatedId[]; fields: F[]; sealed?: Sealed } & Omit<
  CollectionDefinition<NoInfer<F | C>['name']>,
  'fields' | 'mac' | 'sealed'
>) => ({
  ...rest,
  fields: [...(covered ?? []), ...fields, ...(covered ? [mac] : [])] as (
    | F
    | ([C] extends [never] ? never : C | typeof mac)
  )[],
  mac: (covered && [...covered.map(({ name }) => name), ...coveredIds]) as [C] extends [never]
    ? null
    : string[],
});

/** Who may list and view the records; every write is the server's. */
type Readers = {
  /** Which signed-in people, in PocketBase's filter language. */
  rule: string;
  /** The queries that the wire contract and the dashboard's pages need; null for none. */
  queries: AllowedQuery | null;
};

/** The time at which `deleteExpired` deletes a record. */
export type Expiry<Name = string> = {
  /** The field with the time that counts. */
  time: Name;
  /** How long the record is kept after that time. */
  keptMs: number;
  /** It's kept for as long as an open pull request has its `head`. */
  ofHead?: true;
  /** It's kept for as long as the pull request with its `repo_id` and `pr` is open. */
  ofPull?: true;
  /** Filters for the records of heads that expire; the others stay. An index finds each filter's in the order of their ids. */
  only?: readonly string[];
};

/** Who the records name, for the erasure of a person. */
export type People<Name extends string = string> =
  | 'nobody'
  /** A person by a relation that deletes the record together with the user record. */
  | 'user'
  /** The names that GitHub shows, for as long as it shows them. */
  | 'as-github'
  /** People in entries of the log, which stay without them: `people/erase.ts`. */
  | 'log'
  | NamedPeople<Name>[];

export type NamedPeople<Name extends string = string> = {
  /** The records that name the person with this `githubId`, `userId` or one `login`. */
  filter: string;
  /** The fields that have the person's GitHub id next to their login. */
  named?: { id: Name; login: Name };
  /** Fields that get these values in each record. Without it, the records are deleted. */
  clear?: Partial<Record<Name, unknown>>;
};

/** The records after a restore: those of the backup, or none, because a used one would look unused again. */
type Restored = 'from-backup' | 'emptied';

export const DAY_MS = 24 * 60 * 60 * 1000;
