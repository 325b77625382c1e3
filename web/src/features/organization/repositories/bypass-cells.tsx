import type { CheckedRepository } from '../../../../../src/contract/organization-health.ts';
import type { Bypass } from '../../../../../src/contract/protection.ts';
import { GithubLink } from '../../../components/controls.tsx';
import { Label } from '../../../components/text.tsx';
import { aroundIn, HOW, LET_SEE, whoInShort } from '../bypass-texts.ts';
import { StatusRow } from '../status-row.tsx';
import { Rules, SeeCommand, Who } from '../who.tsx';
import styles from './repositories.module.css';

type Props = { repository: CheckedRepository };

/** Says whether anyone may merge into a repository without the check; nothing if it isn't required from us there. */
export function BypassVerdict({ repository }: Props) {
  if (!mayBeAround(repository)) return null;
  const { bypass } = repository;
  if (bypass?.state === 'nobody') return <StatusRow status="ok">Nobody</StatusRow>;
  if (bypass?.state === 'some') {
    const around = aroundIn([repository]);
    return <StatusRow status="failing">{around.length > 0 ? whoInShort(around) : 'Somebody'}</StatusRow>;
  }
  return <StatusRow status="unknown">Can't tell</StatusRow>;
}

const mayBeAround = ({ required, checked }: CheckedRepository) => checked !== null && required === 'thisApp';

/** A repository's details: which rule lets whom around, on which branch, and the one change that closes it. */
export function bypassDetails(owner: string, repository: CheckedRepository) {
  const { bypass, name } = repository;
  if (!mayBeAround(repository) || !bypass || bypass.state === 'nobody') return null;
  return (
    <details className={styles.bypass}>
      <summary>
        {bypass.state === 'some' ? 'Who may bypass, and what closes it' : 'What would tell us'}
        <span className="visually-hidden"> in {name}</span>
      </summary>
      <BypassDetails owner={owner} repository={repository} bypass={bypass} />
    </details>
  );
}

function BypassDetails({ owner, repository, bypass }: Props & { owner: string; bypass: Bypass }) {
  const { name, defaultBranch } = repository;
  const { state, rules, change, url } = bypass;
  return (
    <div className={`stack gap-2 ${styles.details}`}>
      <p>
        <Rules rules={rules} />
        {state === 'some' ? 'Into ' : 'Who may merge without it into '}
        <code dir="auto">{defaultBranch}</code> of <Label text={name} inline />
        {state === 'some' ? ', these may merge without it:' : " isn't known."}
      </p>
      {state === 'some' && (
        <ul>
          {aroundIn([repository]).map((one) => (
            <li key={`${one.type} ${one.name} ${one.mode}`}>
              <Who actor={one} />, {HOW[one.mode]}
            </li>
          ))}
        </ul>
      )}
      <p>{change || LET_SEE}</p>
      {state === 'unknown' && <SeeCommand org={owner} />}
      {url && (
        <p>
          <GithubLink className="target" href={url} newTab>
            {state === 'some' ? 'Change it on GitHub' : 'Open on GitHub'}
            <span className="visually-hidden">: {name}</span>
          </GithubLink>
        </p>
      )}
    </div>
  );
}
