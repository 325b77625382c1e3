import { authenticatorKinds } from '../../../../../src/contract/authenticator-kinds.ts';
import type { EnrolmentAnswer } from '../../../../../src/contract/enrolment.ts';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import type { OwnAuthenticators } from '../../../lib/session/user.ts';

/** The text above the list, for people who may vouch. */
export function waitingVouchesText({ waiting, vouchers, vouchExistingBy }: EnrolmentAnswer): string {
  const [first, ...more] = waiting;
  const who = vouchers === 'owners' ? 'you or another owner' : 'you or another member';
  const hasEarlier = waiting.some(({ waitsFor }) => waitsFor === 'existing');
  const until = hasEarlier
    ? ` Authenticators registered before vouching count until ${vouchExistingBy}.`
    : '';
  const which =
    more.length === 0 ? `It counts once ${who} vouches for it` : `They count once ${who} vouches for them`;
  return `${which}. Call ${first && more.length === 0 ? first.holder.login : 'each person'}, and compare the code.${until}`;
}

/** Says which of the signed-in person's own authenticators wait; null if none does. */
export function waitingOwnText({ own, vouchers, vouchExistingBy }: EnrolmentAnswer): string | null {
  const [first] = own;
  if (!first) return null;
  const noun = authenticatorKinds[first.type].noun;
  if (first.waitsFor === 'vouch') {
    const who = vouchers === 'owners' ? 'an owner' : 'a member';
    return `Your ${noun} doesn't count until ${who} vouches for it.`;
  }
  if (first.waitsFor === 'device') return `The ${noun} of your second device waits for your confirmation.`;
  return `Your authenticators here need a vouch by ${vouchExistingBy}.`;
}

/** Says what the signed-in person has registered in the organization; null if nothing. */
export function yourAuthenticatorsText({ totp, webauthn }: OwnAuthenticators): string | null {
  const keys = webauthn.length;
  const parts = [
    keys === 1 && 'a passkey or security key',
    keys > 1 && `${keys} passkeys or security keys`,
    totp && `an ${authenticatorKinds.totp.noun}`,
  ].filter(Boolean);
  return parts.length > 0 ? `You have ${parts.join(' and ')} here.` : null;
}

/** Says which pull requests OTP Guard checks. */
export function coverageText({ suspended, repositorySelection }: OrganizationAnswer['installation']): string {
  if (suspended) return "OTP Guard is suspended on GitHub, so it doesn't check any pull requests.";
  return repositorySelection === 'all'
    ? 'OTP Guard checks every pull request in every repository.'
    : 'OTP Guard checks every pull request in the selected repositories.';
}

/** Says how many pull requests wait for approval, and how many of them the page lists. */
export function waitingText(total: number, listed: number): string {
  if (total === 0) return 'No pull requests are waiting for approval.';
  const waiting = total === 1 ? '1 pull request is waiting' : `${total} pull requests are waiting`;
  const rest = total > listed ? ` These ${listed} have waited longest.` : '';
  return `${waiting} for approval.${rest}`;
}
