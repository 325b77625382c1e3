import { lazy, Suspense } from 'react';
import type { AuthenticatorType, authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Banner } from '../../components/card.tsx';
import { Ago, Label } from '../../components/text.tsx';
import type { ApprovalRequest } from './approval-request.ts';
import type { SetAsideProps } from './set-aside.tsx';
import type { View } from './view-of.ts';

/** Typed by the contract's table instead of read from it, which keeps the table out of the entry. */
export const METHODS: { [Type in AuthenticatorType]: (typeof authenticatorKinds)[Type]['method'] } = {
  passkey: 'a passkey',
  'security-key': 'a security key',
  totp: 'a one-time code',
};

/** Few people may do it, so it isn't part of the entry. */
const SetAside = lazy(() => import('./set-aside.tsx'));

type Props = Omit<SetAsideProps, 'denial' | 'target'> & {
  request: ApprovalRequest;
  view: View;
  isWithdrawn: boolean | undefined;
};

/** Says who denied the commit and why, and what ends the denial. A page after an approval or a merge doesn't know that. */
export function Denials({ request, view: { page }, isWithdrawn, ...form }: Props) {
  const { denials, refusal, maySetAside, target } = request;
  const isForm = page === 'form';
  if (!isForm && page !== 'own' && page !== 'denied') return null;
  return denials.map(({ id, login, avatarUrl, method, at, reason, isYours }) => {
    const who = isYours ? 'You' : login;
    if (isYours && isWithdrawn) return null;
    return (
      <Banner key={id} calm text={`${who} denied this commit.`}>
        {reason && (
          <p className="bold">
            <Label text={reason} inline />
          </p>
        )}
        <p className="row quiet">
          <Avatar login={login} src={avatarUrl} size="small" />
          <span>
            <Ago at={at} />, with {METHODS[method]}
          </span>
        </p>
        <p>
          It can't pass until {isYours ? 'you withdraw' : `${login} withdraws`} the denial, or until there is
          a new commit.
          {isForm && !refusal && ' You can still approve: that counts once the denial is withdrawn.'}
        </p>
        {maySetAside && !isYours && (
          <Suspense fallback={<p className="target" />}>
            <SetAside denial={{ id, login }} target={target} {...form} />
          </Suspense>
        )}
      </Banner>
    );
  });
}
