import { useLayoutEffect, useRef, useState } from 'react';
import type {
  OrganizationMember,
  OrganizationMembersAnswer,
} from '../../../../../src/contract/organization.ts';
import { LoginLink, SecondaryButton } from '../../../components/controls.tsx';
import { ListPages } from '../../../components/list-pages.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { Ago } from '../../../components/text.tsx';
import { useClient, useUser } from '../../../lib/use-client.ts';
import type { Organization } from '../../../lib/user.ts';
import type { List } from '../list/use-list.ts';
import { EndSessions } from './end-sessions.tsx';
import { authenticatorsText, memberNotes, remindedOneText, reminderState } from './member-texts.ts';
import styles from './members.module.css';
import { useRemind } from './remind-all.tsx';

type Props = {
  list: List<OrganizationMembersAnswer>;
  organization: Pick<Organization, 'orgId' | 'name'>;
  isFiltered: boolean;
};

/** A page of the members, and what an owner can do for each of them. */
export function MemberTable({ list, organization, isFiltered }: Props) {
  const { username } = useUser();
  const [ending, setEnding] = useState<number | null>(null);
  const { answer } = list;
  const columns: Column<OrganizationMember>[] = [
    ...COLUMNS,
    {
      name: 'Action',
      cell: (member) => (
        <div className="buttons">
          {!member.enrolled && <RemindMember member={member} organization={organization} />}
          {member.signedIn && member.login !== username && member.id !== ending && (
            <SecondaryButton
              aria-label={`End sessions of ${member.login}`}
              onClick={() => setEnding(member.id)}
            >
              End sessions
            </SecondaryButton>
          )}
        </div>
      ),
      like: 'End sessions',
    },
  ];
  if (answer?.total === 0) {
    return (
      <p>
        {isFiltered
          ? 'Change the search or the filter.'
          : 'OTP Guard is reading the members from GitHub. This takes a minute or two.'}
      </p>
    );
  }
  return (
    <ListPages list={list} shown={answer?.members.length ?? 0} total={answer?.total ?? 0}>
      <Table
        columns={columns}
        items={answer?.members ?? null}
        keyOf={({ id }) => id}
        below={(member) =>
          member.id === ending && (
            <EndSessions member={member} organization={organization} onCancel={() => setEnding(null)} />
          )
        }
      />
    </ListPages>
  );
}

const COLUMNS: Column<OrganizationMember>[] = [
  { name: 'Member', cell: (member) => <Person member={member} />, like: 'a-member-name' },
  {
    name: 'Authenticators',
    cell: (member) => <Authenticators member={member} />,
    like: 'Passkey, authenticator app',
  },
  {
    name: 'Last approval',
    cell: ({ lastApproval }) =>
      lastApproval ? <Ago at={lastApproval} /> : <span className="quiet">None</span>,
    like: '3 hours ago',
  },
];

function Person({ member: { login, role, address } }: { member: OrganizationMember }) {
  return (
    <>
      <LoginLink className="target" login={login} />
      <p className={`quiet ${styles.facts}`}>
        {role === 'admin' && <span>Owner</span>}
        {address && <bdi>{address}</bdi>}
      </p>
    </>
  );
}

const Authenticators = ({ member }: { member: OrganizationMember }) => (
  <>
    <span className={member.authenticators === 0 ? styles.none : undefined}>
      {authenticatorsText(member)}
    </span>
    <p className={`quiet ${styles.facts}`}>
      {memberNotes(member).map((note) => (
        <span key={note}>{note}</span>
      ))}
    </p>
  </>
);

type RemindMemberProps = { member: OrganizationMember; organization: Pick<Organization, 'orgId' | 'name'> };

/** Reminds one member to register, or says why that isn't possible. The answer takes the pressed button's place and focus. */
function RemindMember({ member, organization }: RemindMemberProps) {
  const { now } = useClient();
  const { busy, answer, error, remind } = useRemind(organization, member.id);
  const result = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    if (answer) result.current?.focus();
  }, [answer]);
  if (answer) {
    return (
      <p ref={result} tabIndex={-1} role="status" className="quiet">
        {remindedOneText(answer)}
      </p>
    );
  }
  const state = reminderState(member, now());
  if (state === 'no-address') return <p className="quiet">No confirmed e-mail address</p>;
  if (state === 'sent' && member.reminded) {
    return (
      <p className="quiet">
        Reminded <Ago at={member.reminded} />
      </p>
    );
  }
  return (
    <>
      {error && (
        <p role="alert" className="quiet">
          {error}
        </p>
      )}
      <SecondaryButton busy={busy} aria-label={`Remind ${member.login}`} onClick={() => void remind()}>
        Remind
      </SecondaryButton>
    </>
  );
}
