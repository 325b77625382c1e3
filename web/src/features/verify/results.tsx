import { Fragment, useId, useLayoutEffect, useRef, useState } from 'react';
import { type Finding, refusalIn } from '../../../../src/proofs/findings.ts';
import { SecondaryButton } from '../../components/controls.tsx';
import { checkIcon, errorIcon, Icon } from '../../components/icon.tsx';
import { Notice } from '../../components/notice.tsx';
import { infoIcon } from '../../components/notice-icons.ts';
import { Hash, Label } from '../../components/text.tsx';
import { proofId, Timeline } from '../../components/timeline.tsx';
import { useStepFocus } from '../../lib/react/use-step-focus.ts';
import { exactTime } from '../../lib/times.ts';
import type { Checked, CheckResult, Verdict } from './check-files.ts';
import styles from './verify.module.css';

const SHOWN_AT_FIRST = 50;

type Props = CheckResult & { hasTexts: boolean; keySource: string };

/** The verdict first, then why, for each file. */
export function Results({ checked, checkpoints, hasTexts, keySource }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new result takes the focus, so that it's read out.
  useLayoutEffect(() => ref.current?.focus(), [checked]);
  return (
    <div ref={ref} className="stack gap-3" tabIndex={-1}>
      {checked.map((one) => (
        <Result key={one.name} {...one} />
      ))}
      {checkpoints > 0 && (
        <p>
          You gave {checkpoints === 1 ? '1 checkpoint' : `${checkpoints.toLocaleString('en')} checkpoints`} to
          compare with.
        </p>
      )}
      {hasTexts && checkpoints === 0 && (
        <Notice variant="warning">
          <p>There's no checkpoint in the text that you gave, so nothing was compared with it.</p>
        </Notice>
      )}
      <p className={styles.printed}>
        Checked with <Label text={keySource} inline /> on {exactTime(new Date().toISOString())}.
      </p>
    </div>
  );
}

function Result({ name, verdicts }: Checked) {
  const [showsAll, setShowsAll] = useState(false);
  const section = useStepFocus<HTMLElement>(showsAll ? 'all' : 'first');
  const wrong = verdicts.filter(({ valid }) => !valid);
  const isValid = verdicts.length > 0 && wrong.length === 0;
  const lacksKeys = wrong.some(({ findings }) => findings.some(({ about }) => about === 'keys'));
  const [only] = verdicts;
  const many = verdicts.length > 1;
  const refusals = verdicts.filter((verdict) => verdict.valid && refusalIn(verdict)).length;
  const valid = only && !many ? resultText(only) : 'Valid';
  const verdictText = lacksKeys ? "Can't be checked without keys" : isValid ? valid : 'Not valid';
  const looksGood = isValid && valid === 'Valid';
  // Invalid receipts come first.
  const sorted = [...wrong, ...verdicts.filter(({ valid }) => valid)];
  const shown = showsAll ? sorted : sorted.slice(0, SHOWN_AT_FIRST);
  return (
    <section ref={section} className={`stack gap-3 divided ${styles.result}`} tabIndex={-1}>
      <h2 className={`marked ${looksGood ? styles.valid : styles.invalid}`}>
        <Icon path={looksGood ? checkIcon : errorIcon} size="large" />
        <span>
          {verdictText}:{' '}
          <span className={styles.fileName}>
            <Label text={name} inline />
          </span>
        </span>
      </h2>
      {many && (
        <p>
          {verdicts.length.toLocaleString('en')} receipts
          {wrong.length > 0 ? `, ${wrong.length.toLocaleString('en')} of them not valid` : ', all valid'}
          {refusals > 0 && `, ${refusals.toLocaleString('en')} of them of a denial or a rejected deployment`}.
        </p>
      )}
      {!many && only && (
        <>
          {isValid ? (
            <p className="bold">
              <ProofText text={only.story?.pull ?? only.title} />
            </p>
          ) : (
            <p className="quiet">
              It says that it’s about <ProofText text={only.title} />
            </p>
          )}
          <VerdictDetails {...only} />
        </>
      )}
      {many &&
        shown.map((verdict, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order.
          <details key={at} open={!verdict.valid && at < 3}>
            <summary>
              {resultText(verdict)}: <ProofText text={verdict.title} />
            </summary>
            <VerdictDetails {...verdict} />
          </details>
        ))}
      {shown.length < sorted.length && (
        <SecondaryButton onClick={() => setShowsAll(true)}>
          Show all {sorted.length.toLocaleString('en')}
        </SecondaryButton>
      )}
    </section>
  );
}

/** A receipt that refuses something looks like no approval, even if it's valid. */
function resultText(verdict: Verdict) {
  if (!verdict.valid) return 'Not valid';
  const refusal = refusalIn(verdict);
  return refusal ? ({ denial: 'Denied', rejection: 'Rejected' } as const)[refusal] : 'Valid';
}

/** The groups of findings, in the order of the page. */
const GROUPS = {
  failed: { title: 'What failed', icon: errorIcon },
  proved: { title: 'What is proved', icon: checkIcon },
  claimed: { title: 'What is only claimed', icon: infoIcon },
} as const satisfies Record<Finding['status'], { title: string; icon: string }>;

/** The subjects of findings, as headings. */
const TOPICS: Record<string, string> = {
  ...{ keys: 'Keys', receipt: 'Receipt', server: 'Server', statement: 'Server', subject: 'Commit' },
  ...{
    denial: 'Denial',
    rejection: 'Rejection',
    deployment: 'Deployment',
    signature: 'Signature',
    time: 'Time',
    person: 'Person',
    model: 'Authenticator',
    verdict: 'Rules',
  },
  ...{ withdrawn: 'Withdrawal', enrolment: 'How the key was enrolled', log: 'Log', entry: 'Log' },
  ...{ export: 'Export', entries: 'Entries', erased: 'Erased entries' },
  ...{ checkpoint: 'Checkpoints', witness: 'Checkpoints', ignored: 'Checkpoints' },
};

const MOST_SHOWN = 200;

/** Why a receipt or a log is valid or not, in words, and what a valid receipt is about. */
function VerdictDetails({ story, findings }: Verdict) {
  const id = useId();
  const [given] = story ? [...story.approvals, ...story.denials] : [];
  const withId = <Given,>(all: Given[]) => all.map((one) => ({ ...one, id }));
  return (
    <>
      {story && given && (
        <Timeline
          story={{ ...story, approvals: withId(story.approvals), denials: withId(story.denials) }}
          proofsOf={given.head}
        />
      )}
      <div id={proofId(id)} className={`stack gap-3 ${styles.findings}`} tabIndex={-1}>
        {Object.entries(GROUPS).map(([status, { title, icon }]) => {
          const ofStatus = findings.filter((finding) => finding.status === status);
          const left = ofStatus.length - MOST_SHOWN;
          if (ofStatus.length === 0) return null;
          return (
            <div key={status} className={styles[status]}>
              <h3>{title}</h3>
              <ul>
                {ofStatus.slice(0, MOST_SHOWN).map(({ about, text }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
                  <li key={at} className="marked">
                    <Icon path={icon} />
                    <div>
                      {TOPICS[about] !== TOPICS[ofStatus[at - 1]?.about ?? ''] && <h4>{TOPICS[about]}</h4>}
                      <ProofText text={text} />
                    </div>
                  </li>
                ))}
              </ul>
              {left > 0 && <p>And {left.toLocaleString('en')} more.</p>}
            </div>
          );
        })}
      </div>
    </>
  );
}

/** A hash of a commit or a file, or a time as JSON has it. */
const EXACT = /\b([0-9a-f]{40}|[0-9a-f]{64}|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)\b/;

/** A text about a proof. Its hashes and times are short: hovering shows them in full, and so does a print. */
const ProofText = ({ text }: { text: string }) => (
  <bdi>
    {text.split(EXACT).map((piece, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes.
      <Fragment key={at}>{at % 2 === 0 ? piece : <Exact value={piece} />}</Fragment>
    ))}
  </bdi>
);

function Exact({ value }: { value: string }) {
  if (!value.includes('T')) return <Hash hash={value} />;
  return (
    <time dateTime={value} title={value}>
      {exactTime(value)}
    </time>
  );
}
