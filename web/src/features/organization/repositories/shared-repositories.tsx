import { useState } from 'react';
import { GithubLink, SecondaryButton } from '../../../components/controls.tsx';
import { SearchField } from '../../../components/field.tsx';
import { PAGE_SIZE } from '../../../components/list-pages.tsx';
import { Notice } from '../../../components/notice.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { Label } from '../../../components/text.tsx';
import { useClient, usePageContext, useSessionState } from '../../../lib/react/use-client.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { ListCard } from '../list/list-card.tsx';
import { ListControls } from '../list/list-controls.tsx';
import styles from './repositories.module.css';
import { Share } from './share.tsx';
import { type Repository, useRepositories } from './use-repositories.ts';

/** Fewer repositories need no search. */
const MANY = 20;
// GitHub answers with either for a few moments after an installation.
const NOT_KNOWN_YET = [403, 404];

type Props = {
  title: string;
  installation: string;
  justInstalled: boolean;
  /** Null if the session doesn't have it. */
  organization: Organization | null;
};

/** The repositories that GitHub lists for the person, as they arrive. */
export function SharedRepositories({ title, installation, justInstalled, organization }: Props) {
  const { owner } = usePageContext();
  const state = useSessionState();
  const [typed, setTyped] = useState('');
  const [pageNumber, setPageNumber] = useState(1);
  const { found, done, error, reload } = useRepositories(installation);
  const { total = 0, repositories = [] } = found ?? {};

  const isNotKnownYet = justInstalled && error !== null && NOT_KNOWN_YET.includes(error.status);
  const isEmpty = isNotKnownYet || (done && found !== null && total === 0);
  // Only a session that the record store has confirmed can tell that an organization is missing.
  const isMissing = state.status === 'signed-in' && state.fresh === 'yes' && !organization;
  const search = (text: string) => {
    setTyped(text);
    setPageNumber(1);
  };
  const wanted = typed.trim().toLowerCase();
  const matching = repositories.filter(({ name }) => name.toLowerCase().includes(wanted));
  const list = {
    answer: found && { next: pageNumber * PAGE_SIZE < matching.length || null },
    pageNumber,
    busy: !found && !error,
    failure: error && !isNotKnownYet ? { code: null, text: error.message } : null,
    next: () => setPageNumber(pageNumber + 1),
    previous: () => setPageNumber(pageNumber - 1),
    reload,
    refresh: reload,
  };
  const shown = matching.slice((pageNumber - 1) * PAGE_SIZE, pageNumber * PAGE_SIZE);
  return (
    <ListCard
      title={title}
      list={list}
      nouns={['repository', 'repositories']}
      matches={found ? matching.length : undefined}
      all={total}
      isFiltered={wanted !== '' || !done}
      intro={
        <>
          {justInstalled && (isEmpty || isMissing) && <NewInstallationNotice onRefresh={reload} />}
          <Share
            installation={installation}
            owner={organization?.name ?? owner}
            selection={found?.selection}
            isEmpty={isEmpty}
            mayChange={organization?.role !== 'member'}
          />
        </>
      }
      controls={
        total > MANY && (
          <ListControls>
            <SearchField
              label="Filter by name"
              value={typed}
              onChange={({ target }) => search(target.value)}
            />
          </ListControls>
        )
      }
      shown={shown.length}
    >
      <Table columns={COLUMNS} items={found && shown} keyOf={({ fullName }) => fullName} />
    </ListCard>
  );
}

const COLUMNS: Column<Repository>[] = [
  {
    name: 'Repository',
    cell: ({ fullName, htmlUrl }) => (
      <GithubLink className={`target ${styles.link}`} href={htmlUrl}>
        <Label text={fullName} />
      </GithubLink>
    ),
    like: 'an-owner/a-repository',
  },
  {
    name: 'State',
    cell: ({ isPrivate, archived }) =>
      [isPrivate && 'Private', archived && 'Archived'].filter(Boolean).join(', '),
    like: 'Private',
  },
];

/** Shown right after the App was installed: GitHub takes a moment to notify us and to list the repositories. */
function NewInstallationNotice({ onRefresh }: { onRefresh: () => void }) {
  const { session } = useClient();
  const state = useSessionState();
  const busy = state.status === 'signed-in' && state.fresh === 'pending';
  const refresh = () => void session.refresh().then(onRefresh);
  return (
    <Notice variant="info">
      <p>Thanks for connecting to GitHub! Please refresh in a few minutes to see your repositories</p>
      <SecondaryButton busy={busy} onClick={refresh}>
        Refresh
      </SecondaryButton>
    </Notice>
  );
}
