import type { AllowedQuery } from '../../../contract/record-queries.ts';
import type { Field } from './fields.ts';

/** All that the product knows of one collection. Each answer but `readers` is required, so that a new one forgets none. */
export type CollectionDefinition<F extends Field = Field> = {
  fields: F[];
  /** The columns of each index, which may begin with `UNIQUE ` and end with a `WHERE` clause. */
  indexes: string[];
  /** Without this, the server alone reads the records. */
  readers?: Readers;
  /**
   * The fields that the record's MAC covers: each that decides. Labels, names of repositories and times of use are
   * left out, because they're for display. `user_github_id` and `org_github_id` stand for GitHub's ids of the related
   * person and organization, so that no other id can be put into their record. Null if no record has a MAC.
   */
  mac: readonly (F['name'] | RelatedId)[] | null;
  /** The covered fields that are encrypted under `SECRET_KEY`. `sealContext` takes no other one. */
  sealed?: readonly F['name'][];
  /**
   * The fields that a rotation of the key saves as it read them, together with the MAC. A credential's use changes its counter, and a
   * MAC of an older counter would spoil the record. A group whose verdict came meanwhile is judged again.
   */
  savedWithMac?: readonly F['name'][];
  /** The fields that change once in a record, together with its MAC. */
  changesOnce?: readonly F['name'][];
  expires: Expiry<F['name']> | 'never';
  people: People<F['name']>;
  restored: Restored;
};

/** GitHub's id of the related person or organization. */
type RelatedId = 'user_github_id' | 'org_github_id';

/** Checks that a collection's MAC, seals, expiry and people only speak of its own fields. */
export const define = <
  F extends Field,
  Mac extends CollectionDefinition<NoInfer<F>>['mac'],
  const Sealed extends readonly NoInfer<F>['name'][] = [],
>(
  definition: { fields: F[]; mac: Mac; sealed?: Sealed } & Omit<
    CollectionDefinition<NoInfer<F>>,
    'fields' | 'mac' | 'sealed'
  >,
) => definition;

/** Who may list and view the records; every write is the server's. */
type Readers = {
  /** Which signed-in people, in PocketBase's filter language. */
  rule: string;
  /** The queries that the wire contract and the dashboard's pages need; null for none. */
  queries: AllowedQuery | null;
};

/** When `deleteExpired` deletes a record. */
export type Expiry<Name = string> = {
  /** The field with the time that counts. */
  time: Name;
  /** How long the record is kept after that time. */
  keptMs: number;
  /** It's kept for as long as an open pull request has its `head`. */
  ofHead?: true;
  /** Which records of heads expire; the others stay. An index finds these in the order of their ids. */
  only?: string;
};

/** Who the records name, for the erasure of a person. */
export type People<Name extends string = string> =
  | 'nobody'
  /** Somebody by a relation that deletes the record together with the user record. */
  | 'user'
  /** The names that GitHub shows, for as long as it shows them. */
  | 'as-github'
  /** People in entries of the log, which stay without them: `people/erase.ts`. */
  | 'log'
  | NamedPeople<Name>[];

export type NamedPeople<Name extends string = string> = {
  /** The records that name the person with this `githubId`, `userId` or one `login`. */
  filter: string;
  /** The fields that have the person's GitHub id beside their login. */
  named?: { id: Name; login: Name };
  /** Fields that get these values in each record. Without it, the records are deleted. */
  clear?: Partial<Record<Name, unknown>>;
};

/** The records after a restore: those of the backup, or none, because a used one would look unused again. */
type Restored = 'from-backup' | 'emptied';

export const DAY_MS = 24 * 60 * 60 * 1000;
