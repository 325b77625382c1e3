import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { OrganizationMember } from '../../../../../src/contract/organization.ts';
import { LoginLink, SecondaryButton } from '../../../components/controls.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { Ago } from '../../../components/text.tsx';
import { keepQuery } from '../../../lib/address/page-context.ts';
import { useClient, useUser } from '../../../lib/react/use-client.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { useEnrolment } from '../../../lib/signing/use-enrolment.ts';
import { EndSessions } from './end-sessions.tsx';
import {
  authenticatorsText,
  mayBeReminded,
  memberNotes,
  remindedOneText,
  reminderState,
} from './member-texts.ts';
import styles from './members.module.css';
import { useRemind } from './remind-all.tsx';

type Props = {
  /** Null while they load. */
  members: OrganizationMember[] | null;
  organization: Pick<Organization, 'orgId' | 'name'>;
};

/** A page of the members, and what an owner can do for each of them. */
export function MemberTable({ members, organization }: Props) {
  const { now } = useClient();
  const { username } = useUser();
  const [ending, setEnding] = useState<number | null>(null);
  const vouches = useVouches(organization);
  const columns: Column<OrganizationMember>[] = [
    ...COLUMNS,
    {
      name: 'Action',
      cell: (member) => {
        const vouch = vouches.get(member.id);
        const canRemind = !member.enrolled && mayBeReminded(member, now());
        const canEnd = member.signedIn && member.login !== username && member.id !== ending;
        if (!vouch && !canRemind && !canEnd) return null;
        return (
          <div className="buttons">
            {vouch && (
              <Link className="target" to={vouch}>
                Vouch<span className="visually-hidden"> for {member.login}</span>
              </Link>
            )}
            {canRemind && <RemindMember member={member} organization={organization} />}
            {canEnd && (
              <details>
                <summary className="quiet">
                  More<span className="visually-hidden"> about {member.login}</span>
                </summary>
                <SecondaryButton onClick={() => setEnding(member.id)}>Sign out everywhere</SecondaryButton>
              </details>
            )}
          </div>
        );
      },
      like: 'Remind',
    },
  ];
  return (
    <Table
      columns={columns}
      items={members}
      keyOf={({ id }) => id}
      below={(member) =>
        member.id === ending && (
          <EndSessions member={member} organization={organization} onCancel={() => setEnding(null)} />
        )
      }
    />
  );
}

/** The pages that vouch for members, by GitHub's id; empty if the person may not vouch, and until that's known. */
function useVouches({ orgId, name }: Props['organization']): Map<number, string> {
  const { loaded } = useEnrolment(String(orgId));
  const waiting = loaded.status === 'ok' ? loaded.value.waiting : [];
  const query = { owner: name, ownerID: String(orgId) };
  return new Map(
    waiting.map(({ id, holder }) => [holder.id, keepQuery('/vouch', '', { ...query, authenticator: id })]),
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
    cell: ({ lastApproval }) => lastApproval && <Ago at={lastApproval} />,
    like: '3 hours ago',
  },
];

function Person({ member }: { member: OrganizationMember }) {
  const { login, role, address, enrolled } = member;
  return (
    <>
      <LoginLink className="target" login={login} />
      <p className="quiet links">
        {role === 'admin' && <span>Owner</span>}
        {address && <bdi>{address}</bdi>}
        {!enrolled && <NoAddress member={member} />}
      </p>
    </>
  );
}

const Authenticators = ({ member }: { member: OrganizationMember }) => (
  <>
    <span className={member.authenticators === 0 ? styles.none : undefined}>
      {authenticatorsText(member)}
    </span>
    <p className="quiet links">
      {memberNotes(member).map((note) => (
        <span key={note}>{note}</span>
      ))}
      {!member.enrolled && <MemberNote member={member} />}
    </p>
  </>
);

type Reminded = Pick<OrganizationMember, 'id' | 'login' | 'pending' | 'hasAddress' | 'reminded'>;

/** Says that no reminder reaches a member without an authenticator. */
export const NoAddress = ({ member: { hasAddress, pending } }: { member: Reminded }) =>
  hasAddress || pending ? null : <span>No confirmed e-mail address</span>;

/** Says why a member without an authenticator can't be reminded now; nothing if they can be. */
export function MemberNote({ member }: { member: Reminded }) {
  const { now } = useClient();
  if (member.pending) return <span>One is pending</span>;
  if (reminderState(member, now()) === 'sent' && member.reminded) {
    return (
      <span>
        Reminded <Ago at={member.reminded} />
      </span>
    );
  }
  return null;
}

type RemindMemberProps = { member: Reminded; organization: Pick<Organization, 'orgId' | 'name'> };

/** Reminds one member to register. The answer takes the pressed button's place and focus. */
export function RemindMember({ member, organization }: RemindMemberProps) {
  const { busy, answer, error, remind } = useRemind(organization, { memberID: member.id });
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
