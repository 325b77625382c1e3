import type { OrganizationAnswer, OrganizationHealth } from '../../../../../src/contract/organization.ts';
import type { OwnAuthenticators } from '../../../lib/user.ts';
import type { Mark } from '../mark.ts';

/** How many members can approve. */
export function membersSentence({ total, enrolled }: { total: number; enrolled: number }): string {
  if (total === 0) return 'GitHub names no members.';
  if (enrolled >= total) {
    return total === 1 ? 'The one member has an authenticator' : `All ${total} members have an authenticator`;
  }
  return `${enrolled} of ${total} members ${enrolled === 1 ? 'has' : 'have'} an authenticator`;
}

/** What the person has registered here; null where that is nothing. */
export function ownSentence({ totp, webauthn }: OwnAuthenticators): string | null {
  const keys = webauthn.length;
  const parts = [
    keys === 1 && 'a passkey or security key',
    keys > 1 && `${keys} passkeys or security keys`,
    totp && 'a one-time code app',
  ].filter(Boolean);
  return parts.length > 0 ? `You have ${parts.join(' and ')} here.` : null;
}

/** What is checked at all. */
export function protectionSentence({
  suspended,
  repositorySelection,
}: OrganizationAnswer['installation']): string {
  if (suspended) return 'OTP Guard is suspended on GitHub: no pull request is checked.';
  return repositorySelection === 'all'
    ? 'Every pull request in every repository is checked.'
    : 'Every pull request in the selected repositories is checked.';
}

/** Whether that holds: an App that lacks permissions may not see to all of it. */
export function checkedSummary(
  installation: OrganizationAnswer['installation'],
  health: Pick<OrganizationHealth, 'permissions'> | null,
): { mark: Mark; text: string } {
  if (health && health.permissions.missing.length > 0) {
    return { mark: 'wrong', text: 'OTP Guard lacks permissions on GitHub: pull requests may go unchecked.' };
  }
  return { mark: 'good', text: protectionSentence(installation) };
}

/** How many pull requests wait, and how many of them the list shows. */
export function waitingSentence(total: number, shown: number): string {
  const waiting = total === 1 ? '1 pull request waits' : `${total} pull requests wait`;
  return total > shown ? `${waiting} for approval. These ${shown} wait longest.` : `${waiting} for approval.`;
}
