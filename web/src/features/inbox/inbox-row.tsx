import type { InboxPull } from '../../../../src/contract/inbox.ts';
import { Faces } from '../../components/faces.tsx';
import { Chip, PullRow } from '../../components/pull-row.tsx';
import { Label } from '../../components/text.tsx';
import { ASKED_TEXTS } from '../../lib/asked-texts.ts';
import styles from './inbox.module.css';

type Props = {
  pull: InboxPull;
  /** Null if the person has no passkey or security key there: only those approve several together. */
  selected: boolean | null;
  onToggle: () => void;
};

/** The most rules that a row names. */
const MOST_RULES = 3;

/** One pull request, why it's asked of the person, and the approvals that it has. */
export function InboxRow({ pull, selected, onToggle }: Props) {
  const { org, repo, pr, asked, progress } = pull;
  const name = `${org.name}/${repo} #${pr}`;
  // Every pull request here needs an approval: a row says only what is more than that.
  const rules = progress.filter(({ rule, approved }) => rule !== '' || approved > 0);
  const chips = (asked || rules.length > 0) && (
    <>
      {asked && <Chip isFilled>{ASKED_TEXTS[asked]}</Chip>}
      {rules.slice(0, MOST_RULES).map(({ rule, missing, approved, needed, by }) => (
        <Chip key={rule} title={missing}>
          {by.length > 0 && <Faces logins={by.map(({ login }) => login)} />} {approved} of {needed} approved
          {rule && ', '}
          {rule && <Label text={rule} inline />}
        </Chip>
      ))}
      {rules.length > MOST_RULES && <Chip>{rules.length - MOST_RULES} more</Chip>}
    </>
  );
  return (
    <PullRow pull={pull} name={name} chips={chips}>
      {selected !== null && (
        <label className={styles.check}>
          <input type="checkbox" checked={selected} onChange={onToggle} />
          <span className="visually-hidden">{`Select ${name}`}</span>
        </label>
      )}
    </PullRow>
  );
}
