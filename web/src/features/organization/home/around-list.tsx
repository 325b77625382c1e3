import type { RepositoryCounts } from '../../../../../src/contract/findings.ts';
import { GithubLink, InternalLink } from '../../../components/controls.tsx';
import { Label } from '../../../components/text.tsx';
import type { Around } from '../bypass-texts.ts';
import { HOW } from '../bypass-texts.ts';
import { repositoryCount } from '../findings/words.ts';
import { StatusRow } from '../status-row.tsx';
import { Rules, Who } from '../who.tsx';
import styles from './home.module.css';

const MOST_SHOWN = 5;

type Props = {
  around: Around[];
  counts: RepositoryCounts;
};

/** Lists who may merge without the check, by which rule, and where an owner changes that. */
export function AroundList({ around, counts }: Props) {
  if (around.length === 0) return null;
  const more = around.length - MOST_SHOWN;
  return (
    <section className={`${styles.protection} ${styles.around}`} aria-labelledby="around">
      <h3 id="around">Who can merge without an approval</h3>
      <ul>
        {around.slice(0, MOST_SHOWN).map((one) => (
          <li key={`${one.type} ${one.name} ${one.mode}`}>
            <StatusRow status="failing">
              <p>
                <Who actor={one} />, {HOW[one.mode]}
              </p>
              <p className="quiet">
                <Rules rules={one.bypass.rules} />
                <Where of={one} />
              </p>
            </StatusRow>
            {one.repositories.length === 1 && (
              <GithubLink className="target" href={one.bypass.url} newTab>
                Change it<span className="visually-hidden"> on GitHub</span>
              </GithubLink>
            )}
          </li>
        ))}
      </ul>
      {(more > 0 || around.some(({ repositories }) => repositories.length > 1)) && (
        <p>
          <InternalLink className="target" to="/org/repositories" query={{ state: 'bypass' }}>
            {more > 0 ? `${more} more, in ` : 'What to change in '}
            {repositoryCount(counts.bypass.some)}
          </InternalLink>
        </p>
      )}
    </section>
  );
}

function Where({ of: { repositories } }: { of: Around }) {
  const [first] = repositories;
  if (!first || repositories.length > 1) return <>In {repositoryCount(repositories.length)}</>;
  return (
    <>
      In <Label text={first.name} inline /> on <code dir="auto">{first.defaultBranch}</code>
    </>
  );
}
