import type { ReactNode } from 'react';
import type { Authenticator } from '../lib/authenticator-records.ts';
import { useClient } from '../lib/use-client.ts';
import styles from './authenticator-table.module.css';
import { GithubLink } from './github-link.tsx';
import { Icon } from './icon.tsx';
import { KeptLink } from './kept-link.tsx';
import { KINDS } from './kinds.ts';
import { Label } from './label.tsx';
import { Skeleton } from './skeleton.tsx';
import { Ago, Day } from './time.tsx';

/** One column of a table of authenticators. */
export type Column = {
  name: string;
  cell: (authenticator: Authenticator) => ReactNode;
  /** About what stands in a cell; only its length is used, while the list is on its way. */
  like: string;
};

type Props = {
  columns: Column[];
  /** Null while the list is on its way: the table has its shape already. */
  authenticators: Authenticator[] | null;
};

/** One row each; on a phone a row is a block, and every cell says what it is. */
export function AuthenticatorTable({ columns, authenticators }: Props) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {authenticators
          ? authenticators.map((authenticator) => (
              <Row key={authenticator.id} columns={columns} fill={({ cell }) => cell(authenticator)} />
            ))
          : ['1', '2'].map((row) => (
              <Row key={row} columns={columns} fill={({ like }) => <Skeleton like={like} />} />
            ))}
      </tbody>
    </table>
  );
}

function Row({ columns, fill }: { columns: Column[]; fill: (column: Column) => ReactNode }) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.name} data-column={column.name}>
          <div>{fill(column)}</div>
        </td>
      ))}
    </tr>
  );
}

export const TYPE: Column = { name: 'Type', like: 'Passkey', cell: ({ type }) => <Kind type={type} /> };

/** The label, which leads to the authenticator's page; `query` says what that page is to know besides. */
export const authenticatorColumn = (query: Record<string, string | null> = {}): Column => ({
  name: 'Authenticator',
  like: 'A label with words',
  cell: (authenticator) => <Name authenticator={authenticator} query={query} />,
});

export const ORG: Column = {
  name: 'Org',
  like: 'an-org',
  cell: ({ org }) => <Account login={org.name} />,
};

/** Whose it is. */
export const USER: Column = {
  name: 'User',
  like: 'a-member',
  cell: ({ username }) => (username ? <Account login={username} /> : 'Former member'),
};

export const ADDED: Column = {
  name: 'Added',
  like: '2026-01-01',
  cell: ({ created }) => <Day at={created} />,
};

export const LAST_USED: Column = {
  name: 'Last used',
  like: 'yesterday',
  cell: ({ lastUsed }) => (lastUsed ? <Ago at={lastUsed} /> : 'Never'),
};

export const Kind = ({ type }: Pick<Authenticator, 'type'>) => (
  <span className={styles.kind}>
    <Icon outline={KINDS[type].outline} />
    {KINDS[type].name}
  </span>
);

type NameProps = { authenticator: Authenticator; query: Record<string, string | null> };

function Name({ authenticator: { type, id, label, org, model, synced }, query }: NameProps) {
  return (
    <>
      <KeptLink to={`/authenticator/${type}/${id}`} query={{ owner: org.name, ownerID: org.orgId, ...query }}>
        <Label text={label || 'Without a label'} />
      </KeptLink>
      {model && (
        <span className={styles.about}>
          <Label text={model} />
        </span>
      )}
      {synced !== null && <span className={styles.about}>{storedWhere(synced)}</span>}
    </>
  );
}

function Account({ login }: { login: string }) {
  const { config } = useClient();
  return (
    <GithubLink href={`${config.github}/${encodeURIComponent(login)}`}>
      <bdi>{login}</bdi>
    </GithubLink>
  );
}

/** WebAuthn Level 3, section 6.1.3: whether the key is backed up elsewhere. */
export const storedWhere = (synced: boolean) => (synced ? 'Synced' : 'This device only');
