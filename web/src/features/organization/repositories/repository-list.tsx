import { useState } from 'react';
import { GithubLink } from '../../../components/controls.tsx';
import { SearchField } from '../../../components/field.tsx';
import { ListPages, PAGE_SIZE } from '../../../components/list-pages.tsx';
import { Label, Skeleton, SkeletonLine } from '../../../components/text.tsx';
import type { List } from '../list/use-list.ts';
import styles from './repositories.module.css';
import type { RepositoriesPage, Repository } from './use-repositories.ts';

const MANY = 20;

type Props = {
  found: RepositoriesPage | null;
  done: boolean;
  /** GitHub's page on which owners choose the repositories. */
  settings: string;
  /** False only if the person is known not to be an owner. */
  mayChange: boolean;
};

/** The repositories that have arrived so far, with a filter if there are many. */
export function RepositoryList({ found, done, settings, mayChange }: Props) {
  const [typed, setTyped] = useState('');
  if (!found) return <Loading />;
  if (found.total === 0 && found.repositories.length === 0) {
    return (
      <p>
        <GithubLink className={`target ${styles.link}`} href={settings}>
          Connect your first repository with GitHub
        </GithubLink>
      </p>
    );
  }
  return (
    <Found
      found={found}
      done={done}
      settings={settings}
      mayChange={mayChange}
      typed={typed}
      onType={setTyped}
    />
  );
}

type FoundProps = Props & { found: RepositoriesPage; typed: string; onType: (typed: string) => void };

function Found({ found, done, settings, mayChange, typed, onType }: FoundProps) {
  const matching = filterByName(found.repositories, typed);
  const { list, items } = usePagesOf(matching, typed);
  return (
    <>
      <p className="links target">
        {found.sharesAll ? 'All Repositories Shared' : 'Selected repositories are shared.'}
        {mayChange && (
          <GithubLink className={`target ${styles.link}`} href={settings}>
            Change on GitHub
          </GithubLink>
        )}
      </p>
      {found.total > MANY && (
        <SearchField label="Filter by name" value={typed} onChange={({ target }) => onType(target.value)} />
      )}
      <p role="status" className={`quiet ${styles.count}`}>
        {countText(found, done, typed.trim() ? matching.length : null)}
      </p>
      <ListPages list={list} shown={items.length} total={matching.length}>
        <ul>
          {items.map((repository) => (
            <Row key={repository.fullName} repository={repository} />
          ))}
        </ul>
      </ListPages>
    </>
  );
}

function countText(
  { total, repositories }: RepositoriesPage,
  done: boolean,
  matching: number | null,
): string {
  if (!done) return `${repositories.length} of ${total}`;
  if (matching === 0) return 'No repository names match.';
  if (matching !== null) return `${matching} of ${repositories.length}`;
  return repositories.length === 1 ? '1 repository' : `${repositories.length} repositories`;
}

/** The repositories with the typed text in their name, in any case. */
function filterByName(repositories: Repository[], typed: string): Repository[] {
  const wanted = typed.trim().toLowerCase();
  return wanted ? repositories.filter(({ name }) => name.toLowerCase().includes(wanted)) : repositories;
}

const Row = ({ repository: { fullName, htmlUrl, isPrivate, archived } }: { repository: Repository }) => (
  <li className={`between ${styles.row}`}>
    <GithubLink className={`target ${styles.link}`} href={htmlUrl}>
      <Label text={fullName} />
    </GithubLink>
    <span className="quiet">
      {[isPrivate && 'Private', archived && 'Archived'].filter(Boolean).join(', ')}
    </span>
  </li>
);

const Loading = () => (
  <>
    <SkeletonLine className="links target" like="All Repositories Shared" />
    <ul>
      {['1', '2', '3', '4', '5'].map((row) => (
        <li key={row} className={`between ${styles.row}`}>
          <span className={`target ${styles.link}`}>
            <Skeleton like="an-owner/a-repository" />
          </span>
        </li>
      ))}
    </ul>
  </>
);

/** Pages of a list that's already here. Another `key`, such as a search, starts at the first page again. */
function usePagesOf<Item>(all: Item[], key: string) {
  const [shown, setShown] = useState({ key, pageNumber: 1 });
  const pageNumber = shown.key === key ? shown.pageNumber : 1;
  const items = all.slice((pageNumber - 1) * PAGE_SIZE, pageNumber * PAGE_SIZE);
  const goTo = (next: number) => setShown({ key, pageNumber: next });
  const list: List<{ next: string | null }> = {
    answer: { next: pageNumber * PAGE_SIZE < all.length ? String(pageNumber + 1) : null },
    pageNumber,
    busy: false,
    failure: null,
    next: () => goTo(pageNumber + 1),
    previous: () => goTo(pageNumber - 1),
    reload: () => undefined,
    refresh: () => undefined,
  };
  return { list, items };
}
