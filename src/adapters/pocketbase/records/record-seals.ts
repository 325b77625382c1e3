import type { ReportForgedRecord } from '../../../organizations/report-forged-record.ts';
import type { RecordMac } from '../../../shared/crypto.ts';
import { COLLECTIONS, type CollectionName } from '../collections.ts';
import type { CollectionDefinition } from '../schema/definition.ts';

/** The MACs of records. Without them, anyone with access to the database could write an approval. */
export type RecordSeals = {
  /** The MAC to store with this record. */
  macOf(collection: CoveredCollection, row: Row): string;
  /** A new record with its MAC. @param expand The related records whose ids the MAC covers. */
  signed<R extends Row>(collection: CoveredCollection, row: R, expand?: object): R & { mac: string };
  /** Tells whether OTP Guard wrote this record; reports it if not. */
  isOurs(collection: CoveredCollection, row: Row): boolean;
};

export function createRecordSeals(mac: RecordMac, report: ReportForgedRecord): RecordSeals {
  const macOf: RecordSeals['macOf'] = (collection, row) =>
    mac.sign(collection, row.id, coveredValues(collection, row));
  return {
    macOf,
    signed: (collection, row, expand) => ({ ...row, mac: macOf(collection, { ...row, expand }) }),
    isOurs(collection, row) {
      const isOurs = mac.verify(collection, row.id, coveredValues(collection, row), String(row.mac ?? ''));
      if (!isOurs) report({ collection, id: row.id, org: organizationOf(collection, row), reason: 'MAC' });
      return isOurs;
    },
  };
}

/** A record as the store returns it, or as we're about to write it. */
export type Row = Readonly<Record<string, unknown>> & { id: string };

/** A collection whose records have a MAC. */
export type CoveredCollection = {
  [Name in CollectionName]: (typeof COLLECTIONS)[Name]['mac'] extends null ? never : Name;
}[CollectionName];

export const isCovered = (name: string): name is CoveredCollection =>
  (COLLECTIONS as Record<string, CollectionDefinition>)[name]?.mac != null;

export const COVERED_COLLECTIONS = Object.keys(COLLECTIONS).filter(isCovered);

type SealedField<Name extends CollectionName> = (typeof COLLECTIONS)[Name] extends {
  sealed?: readonly (infer Field extends string)[];
}
  ? Field
  : never;

/** The record and the field that a sealed text belongs to: it can't be opened in another one. */
export const sealContext = <Name extends CollectionName>(
  collection: Name,
  id: string,
  field: SealedField<Name>,
) => `${collection}:${id}:${field}`;

/** The values that the MAC of this record covers. */
export function coveredValues(collection: CoveredCollection, row: Row): Record<string, unknown> {
  return Object.fromEntries(COLLECTIONS[collection].mac.map((name) => [name, read(collection, row, name)]));
}

/** The relations whose records the MAC reads, as `expand` takes them; empty for none. */
export function expandOf(collection: CoveredCollection): string {
  const relations = COLLECTIONS[collection].mac.flatMap((name) => RELATED[name] ?? []);
  return relations.map((one) => relationTo(collection, one)).join(',');
}

/** The organization that the record claims, for the alert. */
function organizationOf(collection: CoveredCollection, row: Row): { recordId?: string; orgId?: number } {
  const { fields } = COLLECTIONS[collection];
  const field = fields.find(({ name }) => name === 'org' || name === 'org_id');
  if (!field) return {};
  return field.type === 'relation'
    ? { recordId: String(row[field.name]) }
    : { orgId: Number(row[field.name]) };
}

/** The covered names that aren't fields: GitHub's id, in a related record. */
const RELATED: Record<string, { to: string; id: string }> = {
  user_github_id: { to: 'pbc_gh_users', id: 'github_id' },
  org_github_id: { to: 'pbc_organizations', id: 'org_id' },
};

const relationTo = (collection: CoveredCollection, { to }: { to: string }) =>
  COLLECTIONS[collection].fields.find(({ collectionId }) => collectionId === to)?.name ?? '';

/** The store fills in what a new record leaves out, so a field that is missing equals the store's default. */
function read(collection: CoveredCollection, row: Row, name: string): unknown {
  const related = RELATED[name];
  if (related) {
    const expand = row.expand as Record<string, Record<string, unknown>> | undefined;
    return Number(expand?.[relationTo(collection, related)]?.[related.id] ?? 0);
  }
  const value = row[name];
  const field = COLLECTIONS[collection].fields.find((one) => one.name === name);
  switch (field?.type) {
    case 'text':
    case 'select':
    case 'relation':
      return wellFormed(String(value ?? ''));
    case 'number':
      return Number(value ?? 0);
    case 'bool':
      return Boolean(value);
    case 'date':
      return value ? new Date(String(value)).toISOString() : '';
    case 'json':
      return normalizeJson(value ?? null);
    default:
      throw new Error(`${collection} has no field ${name} that a MAC can cover`);
  }
}

/** Returns a JSON value as the record store returns it after it was saved. */
export function normalizeJson<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? wellFormed(part) : part)),
  );
}

/** The store replaces half a surrogate pair with U+FFFD. */
const wellFormed = (value: string) => value.replace(/\p{Surrogate}/gu, '\uFFFD');
