import type { PageContext } from '../../lib/page-context.ts';
import type { OwnAuthenticators } from '../../lib/user.ts';
import { methodFor, readApprovalTarget } from './approval-target.ts';
import { paramsCall } from './params-call.ts';

/**
 * The call that the approval page at this path begins with; null if it begins with none. `/collect` decides by the
 * refreshed session. That is nearly always what the stored one says. If it isn't, the answer isn't used.
 */
export function earlyApproval(
  pathname: string,
  context: PageContext,
  person: { own: OwnAuthenticators; accessToken: string },
): ReturnType<typeof paramsCall> | null {
  const read = readApprovalTarget(context);
  const types = {
    '/collect': methodFor(person.own),
    '/collect-passkey': 'webauthn',
    '/collect-totp': 'totp',
  } as const;
  const type = Object.hasOwn(types, pathname) ? types[pathname as keyof typeof types] : null;
  return type && 'target' in read ? paramsCall(type, read.target, person.accessToken) : null;
}
