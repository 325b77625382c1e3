import type { Collection, Field } from './fields.ts';

/**
 * Whether the store has this collection exactly as we want it, as an import would leave it: our rules, indexes and
 * options, and each of our fields with the store's defaults for the rest.
 *
 * @param found The collection with that id in the store, if it has one.
 */
export function isAsWanted(wanted: Collection, found: object | undefined): boolean {
  const { fields, ...rest } = wanted;
  if (!found || !contains(found, rest)) return false;
  const fieldsFound = (found as { fields: Field[] }).fields;
  return fields.every((field) => {
    const one = fieldsFound.find(({ name }) => name === field.name);
    return one !== undefined && isField(field, one);
  });
}

/** An import gives the options of a field that we don't name their defaults, which are all empty. */
const isField = (wanted: Field, found: Field) =>
  contains(found, wanted) &&
  Object.entries(found).every(([option, value]) => option in wanted || option === 'id' || isEmpty(value));

const isEmpty = (value: unknown) => !value || (Array.isArray(value) && value.length === 0);

/** Whether `found` has every member of `wanted`. Lists have the same length, and the same order. */
function contains(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return found === wanted;
  if (typeof found !== 'object' || found === null) return false;
  if (Array.isArray(wanted) && (!Array.isArray(found) || found.length !== wanted.length)) return false;
  return Object.entries(wanted).every(([key, value]) =>
    contains((found as Record<string, unknown>)[key], value),
  );
}
