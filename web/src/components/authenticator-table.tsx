import { authenticatorKinds } from '../../../src/contract/authenticator-kinds.ts';
import { useUser } from '../lib/react/use-client.ts';
import type { Authenticator } from '../lib/signing/authenticator.ts';
import { enrolledText } from '../lib/signing/enrolment.ts';
import styles from './authenticator-table.module.css';
import { InternalLink, LoginLink } from './controls.tsx';
import { Icon } from './icon.tsx';
import { kinds } from './kinds.ts';
import { Table, type Column as TableColumn } from './table.tsx';
import { Ago, Day, Label } from './text.tsx';

type Column = TableColumn<Authenticator>;

type Props = {
  columns: Column[];
  /** Null while the list loads; the table then shows empty rows. */
  authenticators: Authenticator[] | null;
  /** The number of rows that are likely to come. */
  expected?: number;
};

/** One row for each authenticator. */
export const AuthenticatorTable = ({ columns, authenticators, expected = 2 }: Props) => (
  <Table
    className={styles.authenticators}
    columns={columns}
    items={authenticators}
    expected={expected}
    keyOf={({ id }) => id}
  />
);

export const typeColumn: Column = {
  name: 'Type',
  like: 'Passkey',
  cell: ({ type }) => <Kind type={type} />,
};

/** The label as a link to the authenticator's page; `query` adds parameters to that page's address. */
export const authenticatorColumn = (query: Record<string, string | null> = {}): Column => ({
  name: 'Authenticator',
  like: 'A label with words',
  cell: (authenticator) => <Name authenticator={authenticator} query={query} />,
});

export const organizationColumn: Column = {
  name: 'Org',
  like: 'an-org',
  cell: ({ org }) => <LoginLink login={org.name} />,
};

export const holderColumn: Column = {
  name: 'User',
  like: 'a-member',
  cell: ({ username }) => (username ? <LoginLink login={username} /> : 'Former member'),
};

export const addedColumn: Column = {
  name: 'Added',
  like: '2026-01-01',
  cell: (authenticator) => (
    <>
      <Day at={authenticator.created} />
      <Enrolment authenticator={authenticator} />
    </>
  ),
};

export const lastUsedColumn: Column = {
  name: 'Last used',
  like: 'yesterday',
  cell: ({ lastUsed }) => (lastUsed ? <Ago at={lastUsed} /> : 'Never'),
};

/** The kind of an authenticator: its icon and its name. */
export const Kind = ({ type }: Pick<Authenticator, 'type'>) => (
  <span className={styles.kind}>
    <Icon path={kinds[type].icon} />
    {authenticatorKinds[type].title}
  </span>
);

/** WebAuthn Level 3, section 6.1.3: whether the credential is backed up elsewhere. */
export const storageText = (synced: boolean) => (synced ? 'Synced' : 'This device only');

function Enrolment({ authenticator }: { authenticator: Authenticator }) {
  return <span className={styles.about}>{enrolledText(authenticator, useUser().id)}</span>;
}

type NameProps = { authenticator: Authenticator; query: Record<string, string | null> };

function Name({ authenticator: { type, id, label, org, model, synced }, query }: NameProps) {
  const organization = { owner: org.name, ownerID: org.orgId };
  return (
    <>
      <InternalLink to={`/authenticator/${type}/${id}`} query={{ ...organization, ...query }}>
        <Label text={label || 'No label'} />
      </InternalLink>
      {model && (
        <span className={styles.about}>
          <Label text={model} />
        </span>
      )}
      {synced !== null && <span className={styles.about}>{storageText(synced)}</span>}
    </>
  );
}
