import { type Found, note, ok, problem } from './finding.ts';

/** Every wrong setting at once, and names that look like a misspelt one of ours. None has a value in it. */
export function checkSettings({
  faults,
  hints,
}: {
  faults: readonly string[];
  hints: readonly string[];
}): Found[] {
  const found = [...faults.map(problem), ...hints.map(note)];
  return found.length > 0 ? found : [ok('All settings can be read.')];
}
