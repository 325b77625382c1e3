import { useState } from 'react';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { Button } from '../../../components/button.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Ago } from '../../../components/time.tsx';
import type { Organization } from '../../../lib/user.ts';
import { Section } from '../section.tsx';
import styles from './home.module.css';
import { membersText } from './home-texts.ts';
import { MemberList, type Shown } from './member-list.tsx';

type Props = {
  members: NonNullable<OrganizationAnswer['members']>;
  organization: Pick<Organization, 'orgId' | 'name'>;
  onRefresh: () => void;
};

/** How many members have an authenticator and, on request, the members who don't, or all of them. */
export function Members({ members, organization, onRefresh }: Props) {
  const { total, enrolled, asOf } = members;
  const [shown, setShown] = useState<Shown | null>(null);
  const missing = total - enrolled;
  if (!asOf) return <NotReadYet onRefresh={onRefresh} />;
  return (
    <Section title="Members">
      <p>{membersText(members)}</p>
      <p className={styles.quiet}>
        Updated from GitHub <Ago at={asOf} />
      </p>
      {missing > 0 && shown !== 'missing' && (
        <p>
          <Button look="secondary" onClick={() => setShown('missing')}>
            {missing === 1 ? 'Show the member without one' : `Show the ${missing} members without one`}
          </Button>
        </p>
      )}
      {shown !== 'all' && (
        <p>
          <Button look="secondary" onClick={() => setShown('all')}>
            Show all members
          </Button>
        </p>
      )}
      {shown && <MemberList key={shown} organization={organization} state={shown} />}
    </Section>
  );
}

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
