import type { AllowedQuery } from '../../contract/record-queries.ts';
import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import { authenticators } from './authenticators.ts';
import type { CollectionDefinition } from './definition.ts';
import { hooks } from './hooks.ts';
import { notices } from './notices.ts';
import { organizations } from './organizations.ts';
import { people } from './people.ts';
import { store } from './store.ts';

/**
 * Every collection by its name. Schema, MACs, expiry, erasure, restores and the record API's allow-list come from here.
 */
export const COLLECTIONS = {
  ...organizations,
  ...authenticators,
  ...approvals,
  ...audit,
  ...notices,
  ...hooks,
  ...store,
  ...people,
};

export type CollectionName = keyof typeof COLLECTIONS;

/** The names and definitions, without the types of each. */
export const DEFINITIONS = Object.entries(COLLECTIONS) as [CollectionName, CollectionDefinition][];

/** The queries that members may send for each collection that they read. */
export const memberQueries: Record<string, AllowedQuery> = Object.fromEntries(
  DEFINITIONS.flatMap(([name, { readers }]) =>
    readers === 'server' || !readers.queries ? [] : [[name, readers.queries]],
  ),
);
