import type { Authenticator } from '../../lib/authenticator.ts';

/** The names of the organizations in which exactly one of these authenticators counts, sorted. */
export function organizationsWithOne(authenticators: Pick<Authenticator, 'org' | 'pending'>[]): string[] {
  const names = authenticators.filter(({ pending }) => pending === '').map(({ org }) => org.name);
  return [...new Set(names)].filter((name) => names.filter((other) => other === name).length === 1).sort();
}
