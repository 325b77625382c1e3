import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { passkey } from '../../components/outlines.ts';
import { usePageContext, useUser } from '../../lib/use-client.ts';
import { webauthnOf } from '../../lib/user.ts';
import { readOrganization } from './organization.ts';
import styles from './registration.module.css';

/** The kinds that can be registered so far, by the names of the chooser. */
const KINDS = [
  {
    name: 'Platform',
    to: '/register-passkey',
    outline: passkey,
    text: 'A passkey on this device, opened with your fingerprint, your face or a PIN.',
  },
];

/** `/register`: the person chooses what kind of authenticator they register. */
export function RegisterPage() {
  const user = useUser();
  const organization = readOrganization(usePageContext(), user);
  const title = 'Register authenticator';
  if ('missing' in organization) {
    return <Card title={title} banner={<Banner text={organization.missing} />} />;
  }
  return (
    <Card title={title}>
      <p>
        {webauthnOf(user, organization.orgID).length === 0 && 'You have no authenticator here yet. '}
        Choose what you will approve with in <strong>{organization.org}</strong>.
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
    </Card>
  );
}
