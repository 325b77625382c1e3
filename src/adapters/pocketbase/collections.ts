import type { AllowedQuery } from '../../contract/record-queries.ts';
import { approvals } from './approvals/collections.ts';
import { audit } from './audit/collections.ts';
import { authenticators } from './authenticators/collections.ts';
import { deployments } from './deployments/collections.ts';
import { notices } from './notices/collections.ts';
import { organizations } from './organizations/collections.ts';
import { hooks } from './outgoing-webhooks/collections.ts';
import { people } from './people/collections.ts';
import { policies } from './policies/collections.ts';
import { protection } from './protection/collections.ts';
import { store } from './records/collections.ts';
import type { CollectionDefinition } from './schema/definition.ts';
import type { RecordWith } from './schema/fields.ts';

/**
 * Every collection by its name. Schema, MACs, expiry, erasure, restores and the record API's allow-list come from here.
 */
export const COLLECTIONS = {
  ...organizations,
  ...protection,
  ...policies,
  ...authenticators,
  ...approvals,
  ...deployments,
  ...audit,
  ...notices,
  ...hooks,
  ...store,
  ...people,
};

export type CollectionName = keyof typeof COLLECTIONS;

/** A record of one collection. */
export type RecordOf<Name extends CollectionName> = RecordWith<(typeof COLLECTIONS)[Name]['fields'][number]>;

/** The names and definitions, without the types of each. */
export const DEFINITIONS = Object.entries(COLLECTIONS) as [CollectionName, CollectionDefinition][];

/** The queries that members may send for each collection that they read. */
export const memberQueries: Record<string, AllowedQuery> = Object.fromEntries(
  DEFINITIONS.flatMap(([name, { readers }]) => (readers?.queries ? [[name, readers.queries]] : [])),
);
