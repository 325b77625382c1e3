import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';

type Variables = Record<string, unknown>;

/** The size of the page that a connection asks for; 0 if the field is no connection. */
function pageSize({ arguments: given = [] }: FieldNode, variables: Variables): number {
  const size = given.find(({ name }) => name.value === 'first' || name.value === 'last')?.value;
  if (size?.kind === Kind.INT) return Number(size.value);
  return size?.kind === Kind.VARIABLE ? Number(variables[size.name.value]) : 0;
}

/** How many requests it takes to fill each connection, for `parents` objects. */
function requestsFor({ selections }: SelectionSetNode, variables: Variables, parents: number): number {
  let requests = 0;
  for (const selection of selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD || !selection.selectionSet) continue;
    const size = selection.kind === Kind.FIELD ? pageSize(selection, variables) : 0;
    if (size > 0) requests += parents;
    requests += requestsFor(selection.selectionSet, variables, parents * (size || 1));
  }
  return requests;
}

/**
 * The cost of a query, in points (GitHub: "Rate limits and query limits for the GraphQL API"): the requests that it
 * takes to fill each connection if every page were full, divided by 100, and at least 1.
 */
export function queryCost({ definitions }: DocumentNode, variables: Variables): number {
  const requests = definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? requestsFor(definition.selectionSet, variables, 1) : 0,
  );
  return Math.max(1, Math.round(requests.reduce((sum, each) => sum + each, 0) / 100));
}
