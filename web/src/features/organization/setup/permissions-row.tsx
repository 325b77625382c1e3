import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { StatusRow } from '../status-row.tsx';
import { permissionsStatus } from './part-status.ts';
import styles from './setup.module.css';
import { missingPermissionsText } from './setup-texts.ts';

/** Whether the App has the permissions it needs. */
export function PermissionsRow({ permissions }: Pick<OrganizationHealth, 'permissions'>) {
  const { missing, isPending, settingsUrl } = permissions;
  const status = permissionsStatus(permissions);
  if (status === 'good') {
    return (
      <StatusRow status={status}>
        <p>The App has the permissions it needs.</p>
      </StatusRow>
    );
  }
  return (
    <StatusRow status={status}>
      {missing.length > 0 && <p>{missingPermissionsText(missing)}</p>}
      <p>
        {isPending
          ? 'The App requests permissions that no owner has accepted yet.'
          : "Ask the operator of OTP Guard to add this to the App's permissions on GitHub. An owner then has to accept it."}
      </p>
      <p>
        <GithubLink className={styles.link} href={settingsUrl} newTab>
          {isPending ? 'Review and accept' : "The App's permissions"}
        </GithubLink>
      </p>
    </StatusRow>
  );
}
