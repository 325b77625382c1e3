import type { ReactNode } from 'react';
import { GithubLink } from '../../components/github-link.tsx';
import { Icon } from '../../components/icon.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { KINDS } from '../../components/kinds.ts';
import { Label } from '../../components/label.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Ago, Day } from '../../components/time.tsx';
import { useClient } from '../../lib/use-client.ts';
import styles from './authenticators.module.css';
import type { Authenticator } from './records.ts';

const COLUMNS = ['Type', 'Authenticator', 'Org', 'Added', 'Last used'] as const;
type Cells = Record<(typeof COLUMNS)[number], ReactNode>;

/** One row each; on a phone a row is a block, and every cell says what it is. */
export function AuthenticatorTable({ authenticators }: { authenticators: Authenticator[] }) {
  const { config } = useClient();
  return (
    <Table
      rows={authenticators.map((authenticator) => ({
        id: authenticator.id,
        cells: {
          Type: <Kind type={authenticator.type} />,
          Authenticator: <Name {...authenticator} />,
          Org: (
            <GithubLink href={`${config.github}/${encodeURIComponent(authenticator.org.name)}`}>
              <bdi>{authenticator.org.name}</bdi>
            </GithubLink>
          ),
          Added: <Day at={authenticator.created} />,
          'Last used': authenticator.lastUsed ? <Ago at={authenticator.lastUsed} /> : 'Never',
        },
      }))}
    />
  );
}

/** The same shape while the list is on its way. */
export function SkeletonTable() {
  const row = {
    Type: <Skeleton like="Passkey" />,
    Authenticator: <Skeleton like="A label with words" />,
    Org: <Skeleton like="an-org" />,
    Added: <Skeleton like="2026-01-01" />,
    'Last used': <Skeleton like="yesterday" />,
  };
  return (
    <Table
      rows={[
        { id: '1', cells: row },
        { id: '2', cells: row },
      ]}
    />
  );
}

function Table({ rows }: { rows: { id: string; cells: Cells }[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells }) => (
          <tr key={id}>
            {COLUMNS.map((column) => (
              <td key={column} data-column={column}>
                <div>{cells[column]}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export const Kind = ({ type }: Pick<Authenticator, 'type'>) => (
  <span className={styles.kind}>
    <Icon outline={KINDS[type].outline} />
    {KINDS[type].name}
  </span>
);

function Name({ type, id, label, org, model, synced }: Authenticator) {
  return (
    <>
      <KeptLink to={`/authenticator/${type}/${id}`} query={{ owner: org.name, ownerID: org.orgId }}>
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

/** WebAuthn Level 3, section 6.1.3: whether the key is backed up elsewhere. */
export const storedWhere = (synced: boolean) => (synced ? 'Synced' : 'This device only');
