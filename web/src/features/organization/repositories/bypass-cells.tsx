import type { CheckedRepository } from '../../../../../src/contract/organization-health.ts';
import type { Bypass } from '../../../../../src/contract/protection.ts';
import { GithubLink } from '../../../components/controls.tsx';
import { Ago, Label } from '../../../components/text.tsx';
import { aroundIn, HOW, LET_SEE, whoInShort } from '../bypass-texts.ts';
import { StatusRow } from '../status-row.tsx';
import { Rules, Who } from '../who.tsx';
import styles from './repositories.module.css';

type Props = { repository: CheckedRepository };

/** Says whether anyone may merge into a repository without the check; nothing if it isn't required from us there. */
export function BypassVerdict({ repository }: Props) {
  if (!mayBeAround(repository)) return null;
  const { bypass, said } = repository;
  // An owner's word isn't something that OTP Guard checked.
  if (bypass?.state === 'nobody')
    return (
      <StatusRow status={said ? 'attention' : 'ok'}>
        <p>Nobody</p>
        <ReadBy said={said} />
      </StatusRow>
    );
  if (bypass?.state === 'some') {
    const around = aroundIn([repository]);
    return (
      <StatusRow status="failing">
        <p>{around.length > 0 ? whoInShort(around) : 'Some people'}</p>
        <ReadBy said={said} />
      </StatusRow>
    );
  }
  return <StatusRow status="unknown">Not readable yet</StatusRow>;
}

const ReadBy = ({ said }: Pick<CheckedRepository, 'said'>) =>
  said && (
    <p className="quiet">
      Read by {said.login ?? 'an owner'} <Ago at={said.at} />
    </p>
  );

const mayBeAround = ({ required, checked }: CheckedRepository) => checked !== null && required === 'thisApp';

/** A repository's details: which rule lets whom around, on which branch, and the one change that closes it. */
export function bypassDetails(repository: CheckedRepository) {
  const { bypass, name } = repository;
  if (!mayBeAround(repository) || !bypass || bypass.state === 'nobody') return null;
  return (
    <details className={styles.bypass}>
      <summary>
        {bypass.state === 'some' ? 'Who may bypass, and what closes it' : 'How to let OTP Guard check'}
        <span className="visually-hidden"> in {name}</span>
      </summary>
      <BypassDetails repository={repository} bypass={bypass} />
    </details>
  );
}

function BypassDetails({ repository, bypass }: Props & { bypass: Bypass }) {
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
