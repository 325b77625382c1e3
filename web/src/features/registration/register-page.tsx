import { useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { type AuthenticatorType, authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { EnrolmentAnswer } from '../../../../src/contract/enrolment.ts';
import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { kinds, phoneIcon } from '../../components/kinds.ts';
import { NamedOrganizationPage } from '../../components/named-organization-page.tsx';
import { Notice } from '../../components/notice.tsx';
import { Label, SkeletonLine } from '../../components/text.tsx';
import { WrongPerson } from '../../components/wrong-person.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import { useUser } from '../../lib/react/use-client.ts';
import { authenticatorsOf, type NamedOrganization } from '../../lib/session/user.ts';
import { hasWebauthn, OTHER_BROWSER, useHasPlatformAuthenticator } from '../../lib/signing/abilities.ts';
import { pendingOf } from '../../lib/signing/enrolment.ts';
import { domainsText } from './company-address-step.tsx';
import { isPhone } from './label-choice.tsx';
import { EVERY_KIND, FirstPasskey } from './register-webauthn-page.tsx';
import styles from './registration.module.css';
import { useFirstEnrolment } from './use-wizard.ts';

const TITLE = 'Register authenticator';
/** The recommended kind first. */
const TYPES = Object.keys(kinds) as AuthenticatorType[];

/** `/register`: a person's first authenticator is a passkey where one can be made; else they choose a kind. */
export const RegisterPage = () => (
  <NamedOrganizationPage title={TITLE}>
    {(organization) => <Choice key={organization.orgID} organization={organization} />}
  </NamedOrganizationPage>
);

function Choice({ organization }: { organization: NamedOrganization }) {
  const { totp, webauthn } = authenticatorsOf(useUser(), organization.orgID);
  // Kept, so that the authenticator registered here doesn't change the page.
  const [isFirst] = useState(!totp && webauthn.length === 0);
  const hasPlatform = useHasPlatformAuthenticator();
  const wantsEveryKind = new URLSearchParams(useLocation().search).get('options') === EVERY_KIND.options;
  if (hasPlatform === null) return <Loading />;
  if (isFirst && hasPlatform && !wantsEveryKind)
    return (
      <FirstPasskey organization={organization} below={(enrolment) => <Below enrolment={enrolment} />} />
    );
  return <KindChooser {...organization} isFirst={isFirst} hasPlatform={hasPlatform} hasApp={totp} />;
}

const Below = ({ enrolment }: { enrolment: EnrolmentAnswer | null }) => (
  <>
    {enrolment?.mode === 'vouched' && <ModeNotice enrolment={enrolment} />}
    <p>
      <InternalLink to="/register" query={EVERY_KIND}>
        Other options
      </InternalLink>
    </p>
  </>
);

type ChooserProps = NamedOrganization & { isFirst: boolean; hasPlatform: boolean; hasApp: boolean };

function KindChooser({ org, orgID, isFirst, hasPlatform, hasApp }: ChooserProps) {
  const { enrolment, mode, refusal } = useFirstEnrolment(orgID, isFirst);
  const { search } = useLocation();
  if (refusal) return <WrongPerson title={TITLE} refusal={refusal} />;
  if (isFirst && mode === null) return <Loading />;
  if (enrolment && enrolment.active === 0 && pendingOf(enrolment)) {
    return <Navigate to={keepQuery('/waiting', search)} replace />;
  }
  const canBeApp = !hasApp && enrolment?.mode !== 'vouched';
  const types = TYPES.filter((type) => {
    if (type === 'totp') return canBeApp;
    return type === 'passkey' ? hasPlatform : hasWebauthn();
  });
  if (types.length === 0) return <Card title={TITLE} banner={OTHER_BROWSER} />;
  // Without WebAuthn there's nothing to choose.
  if (isFirst && !hasWebauthn()) return <Navigate to={keepQuery('/register-totp', search)} replace />;
  /** A phone comes after the first kind, except on a phone itself. */
  const waysOf = (type: AuthenticatorType): Way[] => {
    const way = { ...kinds[type], ...authenticatorKinds[type], to: `/register-${type}` };
    const isBeforePhone =
      type === (hasPlatform ? 'passkey' : 'security-key') && !isPhone(navigator.userAgent);
    return isBeforePhone ? [way, PHONE] : [way];
  };
  return (
    <Card title={TITLE}>
      <p>
        {isFirst && "You don't have an authenticator here yet. "}
        Choose how you'll approve in <strong>{org}</strong>.
      </p>
      <ul className="stack gap-2">
        {types.flatMap(waysOf).map(({ to, icon, title, technicalName = title, summary }) => (
          <li key={to}>
            <InternalLink className={styles.kind} to={to}>
              <Icon path={icon} size="large" />
              <span>
                <strong>{title}</strong>
                {technicalName.toLowerCase() !== title.toLowerCase() && (
                  <small className="muted">{technicalName}</small>
                )}
                <span className="muted">{summary}</span>
              </span>
            </InternalLink>
          </li>
        ))}
      </ul>
      {!hasPlatform && <p className="muted">{hasWebauthn() ? NO_SCREEN_LOCK : OTHER_BROWSER}</p>}
      {hasApp && (
        <p className="muted">You have an authenticator app here already. Each person can have one.</p>
      )}
      {enrolment && <ModeNotice enrolment={enrolment} />}
      <p>
        <InternalLink to="/authenticator-types">About the authenticator types</InternalLink>
      </p>
    </Card>
  );
}

const NO_SCREEN_LOCK =
  "This browser says that it can't make a passkey here: that takes a screen lock with a fingerprint, face or PIN.";

/** Says what the organization asks of a first authenticator, before the person chooses one. */
function ModeNotice({ enrolment }: { enrolment: EnrolmentAnswer }) {
  const { mode, domains } = enrolment;
  if (mode === 'open') return null;
  return (
    <Notice variant="info">
      {mode === 'email' ? (
        <p>
          First you confirm a company address, one that ends in <Label text={domainsText(domains)} inline />.
        </p>
      ) : (
        <p>
          {enrolment.vouchers === 'owners' ? 'An owner' : 'A member with a passkey or security key'} has to
          confirm your first passkey or security key before you can approve. You can add an authenticator app
          after that.
        </p>
      )}
    </Notice>
  );
}

const Loading = () => (
  <Card title={TITLE} busy>
    <SkeletonLine like="You don't have an authenticator here yet. Choose how you'll approve in an-org." />
  </Card>
);

type Way = { to: string; icon: string; title: string; technicalName?: string; summary: string };

const PHONE: Way = {
  to: '/register-phone',
  icon: phoneIcon,
  title: 'Phone',
  summary: 'A passkey on your phone, which scans a code.',
};
