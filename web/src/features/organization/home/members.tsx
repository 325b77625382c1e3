import { useState } from 'react';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { Button } from '../../../components/button.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Ago } from '../../../components/time.tsx';
import { Section } from '../section.tsx';
import styles from './home.module.css';
import { MissingMembers } from './missing-members.tsx';
import { membersSentence } from './words.ts';

type Props = {
  members: NonNullable<OrganizationAnswer['members']>;
  orgId: number;
  onRefresh: () => void;
};

/** How many members can approve, and on demand who cannot. */
export function Members({ members, orgId, onRefresh }: Props) {
  const { total, enrolled, asOf } = members;
  const [open, setOpen] = useState(false);
  const missing = total - enrolled;
  if (!asOf) {
    return (
      <Section title="Members">
        <p>The list of members is being fetched from GitHub. It is here in a minute or two.</p>
        <p>
          <Button look="secondary" onClick={onRefresh}>
            Look again
          </Button>
        </p>
      </Section>
    );
  }
  return (
    <Section title="Members">
      <p>{membersSentence(members)}</p>
      <p className={styles.quiet}>
        As GitHub had it <Ago at={asOf} />
      </p>
      {missing > 0 && !open && (
        <p>
          <Button look="secondary" onClick={() => setOpen(true)}>
            {missing === 1 ? 'Show the one without' : `Show the ${missing} without`}
          </Button>
        </p>
      )}
      {open && <MissingMembers orgId={orgId} />}
    </Section>
  );
}

export const MembersSkeleton = () => (
  <Section title="Members">
    <p>
      <Skeleton like="38 of 40 members have an authenticator" />
    </p>
    <p className={styles.quiet}>
      <Skeleton like="As GitHub had it 3 minutes ago" />
    </p>
  </Section>
);
