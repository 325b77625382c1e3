import type { Finding, FindingFacts, FindingId } from '../../src/contract/findings.ts';

/** What the finding with this id is about; undefined if there is none. */
export const factsOf = <Id extends FindingId>(
  findings: Finding[] | null,
  wanted: Id,
): FindingFacts[Id] | undefined =>
  findings?.find(({ id }) => id === wanted)?.about as FindingFacts[Id] | undefined;

/** The ids and states of the findings that aren't in order. */
export const troubles = (findings: Finding[]): string[] =>
  findings.filter(({ status }) => status !== 'ok').map(({ id, status }) => `${id} ${status}`);
