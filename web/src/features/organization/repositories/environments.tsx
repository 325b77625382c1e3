import type {
  CheckedRepository,
  RepositoryEnvironment,
} from '../../../../../src/contract/organization-health.ts';
import { GithubLink } from '../../../components/controls.tsx';
import { Label } from '../../../components/text.tsx';
import styles from './repositories.module.css';

/** A repository's environments, each with what we know of OTP Guard's rule; null if there is nothing to say. */
export function environmentDetails({ name, environments, rulesUrl }: CheckedRepository) {
  if (!environments || environments.total === 0) return null;
  const { total, first, isPrivate } = environments;
  if (total === null) return <p className="quiet">GitHub doesn't show its environments to OTP Guard.</p>;
  const known = first.filter(({ isGated }) => isGated !== null);
  const gated = known.filter(({ isGated }) => isGated).length;
  return (
    <details className={styles.bypass}>
      <summary>
        OTP Guard's rule is on in {gated} of {total === 1 ? '1 environment' : `${total} environments`}
        <span className="visually-hidden"> of {name}</span>
      </summary>
      <div className={`stack gap-2 ${styles.details}`}>
        <ul>
          {known.map((environment) => (
            <li key={environment.name}>
              <Label text={environment.name} inline />: {environmentText(environment)}
            </li>
          ))}
        </ul>
        {total > known.length && (
          <p>
            OTP Guard doesn't know the rules of {total - known.length} more. It reads those of at most 20.
          </p>
        )}
        {isPrivate && <p>The repository isn't public: without GitHub Enterprise, GitHub ignores the rule.</p>}
        <p>
          <GithubLink className="target" href={rulesUrl.replace(/rules$/, 'environments')} newTab>
            Environments on GitHub<span className="visually-hidden">: {name}</span>
          </GithubLink>
        </p>
      </div>
    </details>
  );
}

function environmentText({ isGated, canAdminsBypass }: RepositoryEnvironment): string {
  if (!isGated) return "jobs don't wait for OTP Guard.";
  if (canAdminsBypass === null)
    return "the rule is on. GitHub doesn't say whether administrators can start jobs without an approval.";
  return canAdminsBypass
    ? 'the rule is on. Administrators can start jobs without an approval.'
    : "the rule is on, and administrators can't bypass it.";
}
