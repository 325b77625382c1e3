import type { MemberState, OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { Button } from '../../../components/button.tsx';
import { InternalLink } from '../../../components/internal-link.tsx';
import { SkeletonLine } from '../../../components/skeleton.tsx';
import { Ago } from '../../../components/time.tsx';
import { Section } from '../section.tsx';
import styles from './home.module.css';
import { membersAtRiskText, membersText } from './home-texts.ts';

type Props = {
  members: NonNullable<OrganizationAnswer['members']>;
  onRefresh: () => void;
};

/** How far the members' enrolment is, with links to those who need help. */
export function Members({ members, onRefresh }: Props) {
  const { total, enrolled, one, pending, asOf } = members;
  if (!asOf) return <NotReadYet onRefresh={onRefresh} />;
  const links: { state: MemberState; text: string }[] = [
    ...linkTo('missing', total - enrolled, 'without one'),
    ...linkTo('one', one, 'with only one'),
    ...linkTo('pending', pending, 'waiting'),
    { state: 'all', text: 'All members' },
  ];
  return (
    <Section title="Members">
      {total > 0 && (
        <progress className={styles.progress} aria-label="Members enrolled" value={enrolled} max={total} />
      )}
      <p>
        {membersText(members)} {membersAtRiskText(members)}
      </p>
      <p className={styles.quiet}>
        Updated from GitHub <Ago at={asOf} />
      </p>
      <ul className={styles.links}>
        {links.map(({ state, text }) => (
          <li key={state}>
            <InternalLink
              className={styles.link}
              to="/org/members"
              query={{ state: state === 'all' ? null : state }}
            >
              {text}
            </InternalLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The link to the members in one state, if there are any. */
const linkTo = (state: MemberState, count: number, which: string) =>
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
  <Section title="Members" busy>
    <SkeletonLine like="38 of 40 members have an authenticator." />
    <SkeletonLine className={styles.quiet} like="Updated from GitHub 3 minutes ago" />
    <SkeletonLine className={styles.link} like="2 without one, all members" />
  </Section>
);
