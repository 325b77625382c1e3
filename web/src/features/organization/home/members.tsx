import { useState } from 'react';
import type { MemberState, OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { Button } from '../../../components/button.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Ago } from '../../../components/time.tsx';
import type { Organization } from '../../../lib/user.ts';
import { Section } from '../section.tsx';
import styles from './home.module.css';
import { membersAtRiskText, membersText } from './home-texts.ts';
import { MemberList } from './member-list.tsx';

type Props = {
  members: NonNullable<OrganizationAnswer['members']>;
  organization: Pick<Organization, 'orgId' | 'name'>;
  onRefresh: () => void;
};

/** How many members have an authenticator and, on request, the members who don't, or all of them. */
export function Members({ members, organization, onRefresh }: Props) {
  const { total, enrolled, one, pending, asOf } = members;
  const [shown, setShown] = useState<MemberState | null>(null);
  const choices: { state: MemberState; text: string }[] = [
    ...choice('missing', total - enrolled, 'without one'),
    ...choice('one', one, 'with only one'),
    ...choice('pending', pending, 'waiting'),
    { state: 'all', text: 'All members' },
  ];
  if (!asOf) return <NotReadYet onRefresh={onRefresh} />;
  return (
    <Section title="Members">
      <p>
        {membersText(members)} {membersAtRiskText(members)}
      </p>
      <p className={styles.quiet}>
        Updated from GitHub <Ago at={asOf} />
      </p>
      <p className={styles.quiet}>Show</p>
      <ul className={styles.filters}>
        {choices
          .filter(({ state }) => state !== shown)
          .map(({ state, text }) => (
            <li key={state}>
              <Button look="secondary" onClick={() => setShown(state)}>
                {text}
              </Button>
            </li>
          ))}
      </ul>
      {shown && <MemberList key={shown} organization={organization} state={shown} />}
    </Section>
  );
}

/** The button that lists the members in one state, if there are any. */
const choice = (state: MemberState, count: number, which: string) =>
  count > 0 ? [{ state, text: `${count} ${which}` }] : [];

const NotReadYet = ({ onRefresh }: Pick<Props, 'onRefresh'>) => (
  <Section title="Members">
    <p>OTP Guard is reading the members from GitHub. This takes a minute or two.</p>
    <p>
      <Button look="secondary" onClick={onRefresh}>
        Refresh
      </Button>
    </p>
  </Section>
);

export const MembersSkeleton = () => (
  <Section title="Members">
    <p>
      <Skeleton like="38 of 40 members have an authenticator." />
    </p>
    <p className={styles.quiet}>
      <Skeleton like="Updated from GitHub 3 minutes ago" />
    </p>
  </Section>
);
