import { type AuthenticatorType, authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import { kinds } from '../../components/kinds.ts';
import { useUser } from '../../lib/use-client.ts';
import { authenticatorsOf } from '../../lib/user.ts';
import type { Organization } from './organization.ts';
import { OrganizationPage } from './organization-page.tsx';
import styles from './registration.module.css';

const TITLE = 'Register authenticator';
const TYPES = Object.keys(authenticatorKinds) as AuthenticatorType[];

/** `/register`: the person chooses which kind of authenticator to register. */
export const RegisterPage = () => (
  <OrganizationPage title={TITLE}>{(organization) => <KindChooser {...organization} />}</OrganizationPage>
);

function KindChooser({ org, orgID }: Organization) {
  const { totp, webauthn } = authenticatorsOf(useUser(), orgID);
  const isFirst = !totp && webauthn.length === 0;
  return (
    <Card title={TITLE}>
      <p>
        {isFirst && "You don't have an authenticator here yet. "}
        Choose how you'll approve in <strong>{org}</strong>.
      </p>
      <ul className={styles.kinds}>
        {TYPES.map((type) => (
          <li key={type}>
            <KindLink type={type} />
          </li>
        ))}
      </ul>
      <p>
        <InternalLink to="/authenticator-types">About authenticator types</InternalLink>
      </p>
    </Card>
  );
}

function KindLink({ type }: { type: AuthenticatorType }) {
  const { icon, technicalName, summary } = kinds[type];
  const { title } = authenticatorKinds[type];
  const isSameName = technicalName.toLowerCase() === title.toLowerCase();
  return (
    <InternalLink className={styles.kind} to={`/register-${type}`}>
      <Icon path={icon} size="large" />
      <span>
        <strong>{title}</strong>
        {!isSameName && <small className={styles.quiet}>{technicalName}</small>}
        <span className={styles.quiet}>{summary}</span>
      </span>
    </InternalLink>
  );
}
