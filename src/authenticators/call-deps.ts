import type { LostApprovals } from '../contract/authenticators.ts';
import type { Organization } from '../organizations/ports.ts';
import type { Sessions } from '../people/ports.ts';
import type { AccountProtection, Weakenings } from '../protection/ports.ts';
import type { AuthenticatorDeps } from './deps.ts';
import type { HeldAuthenticators, LostAuthenticator } from './ports.ts';

/** All that the calls of this room take. */
export type AuthenticatorCallDeps = AuthenticatorDeps & {
  heldAuthenticators: HeldAuthenticators;
  sessions: Pick<Sessions, 'endAll'>;
  weakenings: Pick<Weakenings, 'promoted' | 'find' | 'acknowledge'>;
  /** Reads the account from GitHub, and logs who became an owner since the last reading. */
  readAccount(org: Organization): Promise<AccountProtection | null>;
  /** Counts what `withdrawLost` would withdraw now. */
  countLost(lost: LostAuthenticator): Promise<LostApprovals>;
  /** Withdraws the approvals made with a lost authenticator. False if any is left: the removal stored the loss, and a retry follows. */
  withdrawLost(lost: LostAuthenticator): Promise<boolean>;
};
