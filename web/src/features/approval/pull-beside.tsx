import { type ReactNode, useSyncExternalStore } from 'react';
import type { RuleOutcome } from '../../../../src/contract/approvals.ts';
import { ChangedFiles, ViewChanges } from '../../components/changed-files.tsx';
import { Detail } from '../../components/detail.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { Label, SpelledName } from '../../components/text.tsx';
import { filesTitle, outcomeText } from '../../lib/pull-texts.ts';
import styles from './approval.module.css';
import type { ApprovalRequest } from './approval-request.ts';

export type PullBesideProps = {
  request: ApprovalRequest;
  /** True if the person's signature covers the list of files. */
  isSigned: boolean;
  /** True if the rest of the files is on its way. */
  isListing: boolean;
  /** True if the person has just approved it or taken that back: the rules are older than that. */
  isDecided: boolean;
};

/** Shows the changed files and other facts, next to the card in a wide window, else folded below it. */
export default function PullBeside({ request, isSigned, isListing, isDecided }: PullBesideProps) {
  const isWide = useIsWide();
  const { files, pull, statement } = request;
  const title = filesTitle(files, pull.size);
  const content = (
    <div className="stack">
      <dl className="details">
        {pull.headBranch !== null && (
          <Detail name="Branch">
            <code>
              <SpelledName name={pull.headBranch} />
            </code>
          </Detail>
        )}
        {!isDecided && <Detail name="Approved so far">{approversOf(request.rules)}</Detail>}
      </dl>
      {!isDecided && <RuleOutcomes rules={request.rules} />}
      <ChangedFiles files={files} changesUrl={pull.changesUrl} isLoading={isListing} />
      {isSigned && statement.files && <p className="quiet">Your signature covers the whole list.</p>}
    </div>
  );
  if (!isWide) {
    return (
      <details>
        <summary>{title}</summary>
        <div className="stack">
          <ViewChanges changesUrl={pull.changesUrl} />
          {content}
        </div>
      </details>
    );
  }
  return (
    // It scrolls, so the keyboard has to reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="stack" aria-label={title} tabIndex={0}>
      <div className="spread">
        <h2>{title}</h2>
        <ViewChanges changesUrl={pull.changesUrl} />
      </div>
      {content}
    </section>
  );
}

/** The people whose approvals count for a rule. */
function approversOf(rules: RuleOutcome[]): ReactNode {
  const logins = [...new Set(rules.flatMap(({ by }) => by))];
  return logins.length > 0 ? logins.join(', ') : 'No approval counts yet';
}

/** Shows what each rule of the organization says about the pull request. */
const RuleOutcomes = ({ rules }: { rules: RuleOutcome[] }) => (
  <ul className={`stack gap-2 ${styles.rules}`} aria-label="Rules">
    {rules.map((rule) => (
      <li key={rule.name} className={`marked ${rule.met ? 'success' : ''}`}>
        {rule.met ? <Icon path={checkIcon} /> : <Icon path={WAITS} />}
        <span>
          <Label text={rule.name || 'Every pull request'} inline />
          {!rule.enforced && ' (reported only)'}: {outcomeText(rule)}
        </span>
      </li>
    ))}
  </ul>
);

/** Octicons' `CircleIcon` */
const WAITS = 'M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0ZM1.5 8a6.5 6.5 0 1 0 13 0 6.5 6.5 0 0 0-13 0Z';

/** The width from which `approval.module.css` has two columns. */
const WIDE = '(min-width: 64rem)';

function useIsWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    () => window.matchMedia(WIDE).matches,
  );
}
