import { useSyncExternalStore } from 'react';
import type { RuleOutcome } from '../../../../src/contract/approvals.ts';
import { ChangedFiles, ViewChanges } from '../../components/changed-files.tsx';
import { Detail } from '../../components/detail.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { Label, SpelledName } from '../../components/text.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { filesTitle, outcomeText } from '../../lib/pull-texts.ts';
import type { ApprovalRequest } from './approval-request.ts';

export type PullBesideProps = {
  request: ApprovalRequest;
  /** True if the person's signature covers the list of files. */
  isSigned: boolean;
  /** True if the rest of the files is on its way. */
  isListing: boolean;
  /** True if the person can approve it. A finished page has its own timeline. */
  isForm: boolean;
  /** An earlier commit with the same files; null if there is none, or if it isn't known. */
  sameFilesAs: string | null;
};

/** Shows the changed files and other facts, next to the card in a wide window, else folded below it. */
export default function PullBeside(props: PullBesideProps) {
  const isWide = useIsWide();
  const { request, isSigned, isListing, isForm, sameFilesAs } = props;
  const { files, pull, statement, story, rules } = request;
  const timeline = isForm && (
    <Timeline story={story} sameFilesAs={sameFilesAs}>
      {rules
        .filter(({ name, met }) => name !== '' || !met)
        .map((rule) => (
          <RuleItem key={rule.name} rule={rule} />
        ))}
    </Timeline>
  );
  const title = filesTitle(files, pull.size);
  const content = (
    <div className="stack">
      {pull.headBranch !== null && (
        <dl className="details">
          <Detail name="Branch">
            <code>
              <SpelledName name={pull.headBranch} />
            </code>
          </Detail>
        </dl>
      )}
      <ChangedFiles files={files} changesUrl={pull.changesUrl} isLoading={isListing} />
      {isSigned && statement.files && <p className="quiet">Your signature covers the whole list.</p>}
    </div>
  );
  if (!isWide) {
    return (
      <>
        {timeline}
        <details>
          <summary>{title}</summary>
          <div className="stack">
            <ViewChanges changesUrl={pull.changesUrl} />
            {content}
          </div>
        </details>
      </>
    );
  }
  return (
    // It scrolls, so the keyboard has to reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="stack" aria-label={title} tabIndex={0}>
      {timeline}
      <div className="spread">
        <h2>{title}</h2>
        <ViewChanges changesUrl={pull.changesUrl} />
      </div>
      {content}
    </section>
  );
}

/** What a rule of the organization says about the pull request. */
const RuleItem = ({ rule }: { rule: RuleOutcome }) => (
  <li className={rule.met ? 'success' : ''}>
    <Icon path={rule.met ? checkIcon : WAITS} />
    {rule.name === '' ? (
      <span>{rule.missing.replace(/^Needs/, 'Waiting for')}</span>
    ) : (
      <span>
        <Label text={rule.name} inline />
        {!rule.enforced && ' (reported only)'}: {outcomeText(rule)}
      </span>
    )}
  </li>
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
