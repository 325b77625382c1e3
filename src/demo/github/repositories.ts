import type { Account } from './shapes.ts';

/** The path of the list of an account's repositories: the emulator has it for people only, save by search. */
export function repositoriesOf(account: Account): string {
  return `/search/repositories?q=${account.type === 'User' ? 'user' : 'org'}:${account.login}`;
}
