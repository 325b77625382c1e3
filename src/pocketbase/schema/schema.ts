import type { Collection } from '../collections/fields.ts';
import { readableCollections } from './readable-collections.ts';
import { serverCollections } from './server-collections.ts';
import { type SignInConfig, usersCollection } from './users.ts';

/** A version of the record store, and every collection that a store of this version has. */
export type Schema = { version: number; collections(github: SignInConfig): Collection[] };

/** Raise this with each change to a collection. `migrate` always applies the whole schema. */
export const SCHEMA_VERSION = 1;

/**
 * Every collection of the record store, with its rules and indexes, defined
 * once. No rule lets a user create, update or delete. Fields with key material
 * are also hidden, so that a rule that is widened by mistake can't show them.
 */
export const collections = (github: SignInConfig): Collection[] => [
  usersCollection(github),
  ...readableCollections,
  ...serverCollections,
];

/** The schema that this version of OTP Guard uses. */
export const SCHEMA: Schema = { version: SCHEMA_VERSION, collections };
