import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { key, phone } from '../../components/kinds.ts';
import { passkey } from '../../components/outlines.ts';
import { useUser } from '../../lib/use-client.ts';
import { authenticatorsOf } from '../../lib/user.ts';
import type { Organization } from './organization.ts';
import { OrganizationPage } from './organization-page.tsx';
import styles from './registration.module.css';

/** What can be registered, by the names of the chooser. */
const KINDS = [
  {
    name: 'TOTP',
    to: '/register-totp',
    outline: phone,
    text: 'One-time codes of 6 digits from an app on your phone.',
  },
  {
    name: 'Platform',
    to: '/register-passkey',
    outline: passkey,
    text: 'A passkey on this device, opened with your fingerprint, your face or a PIN.',
  },
  {
    name: 'Security Key',
    to: '/register-security-key',
    outline: key,
    text: 'A key that you plug in or hold to the device.',
  },
];
const TITLE = 'Register authenticator';

/** `/register`: the person chooses what kind of authenticator they register. */
export const RegisterPage = () => (
  <OrganizationPage title={TITLE}>{(organization) => <Kinds {...organization} />}</OrganizationPage>
);

function Kinds({ org, orgID }: Organization) {
  const { totp, webauthn } = authenticatorsOf(useUser(), orgID);
  return (
    <Card title={TITLE}>
      <p>
        {!totp && webauthn.length === 0 && 'You have no authenticator here yet. '}
        Choose what you will approve with in <strong>{org}</strong>.
      </p>
      <ul className={styles.kinds}>
        {KINDS.map(({ name, to, outline, text }) => (
          <li key={to}>
            <KeptLink className={styles.kind} to={to}>
              <Icon outline={outline} size="large" />
              <span>
                <strong>{name}</strong>
                <span className={styles.quiet}>{text}</span>
              </span>
            </KeptLink>
          </li>
        ))}
      </ul>
      <p>
        <KeptLink to="/authenticator-types">About authenticator types</KeptLink>
      </p>
    </Card>
  );
}
