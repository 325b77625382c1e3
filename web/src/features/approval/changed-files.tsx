import { GithubLink } from '../../components/controls.tsx';
import { SpelledName } from '../../components/text.tsx';
import styles from './approval.module.css';
import type { ApprovalRequest } from './approval-request.ts';
import { isMarked, marksOf, type ShownFile } from './file-marks.ts';

/** More rows would be too slow on a phone, and the server names the rules of no more files. */
export const MOST_SHOWN = 300;

export const countFiles = (count: number) => `${count} changed ${count === 1 ? 'file' : 'files'}`;

type Props = {
  request: ApprovalRequest;
  /** True if the person is going to sign the statement. */
  isSigned: boolean;
  /** True if the page is asking for the list. */
  isAsked: boolean;
};

/** The changed files, with those first that a person should look at closely. */
export function ChangedFiles({ request, isSigned, isAsked }: Props) {
  const { files, asked, pull, statement } = request;
  const onGitHub = (
    <GithubLink href={pull.changesUrl} newTab>
      See them on GitHub
    </GithubLink>
  );
  if (!files && isAsked) return <p className="muted">Waiting for GitHub’s list.</p>;
  if (!files) return <p className="muted">GitHub didn't list them in time. {onGitHub}</p>;
  const { listed, total, isComplete } = files;
  const sorted = [...listed.filter(isMarked), ...listed.filter((file) => !isMarked(file))];
  const shown = sorted.slice(0, MOST_SHOWN);
  const more = total - shown.length;
  return (
    <>
      <ul className={styles.files} aria-label="Changed files">
        {shown.map((file) => (
          <FileRow key={file.path} file={file} />
        ))}
      </ul>
      {more > 0 && (
        <p>
          {more} more {more === 1 ? "isn't" : "aren't"} shown here. {onGitHub}
        </p>
      )}
      {isSigned && statement.files && <p className="quiet">Your signature covers the whole list.</p>}
      {asked && !isComplete && more <= 0 && <p className="quiet">The list may not be complete.</p>}
    </>
  );
}

function FileRow({ file }: { file: ShownFile }) {
  const { path, previousPath, status, additions, deletions } = file;
  return (
    <li className="stack gap-1">
      <p className="spread">
        <code>
          <SpelledName name={path} />
        </code>
        <span className="quiet">
          {status} +{additions} {'\u2212'}
          {deletions}
        </span>
      </p>
      {previousPath !== null && (
        <p className="quiet">
          from{' '}
          <code>
            <SpelledName name={previousPath} />
          </code>
        </p>
      )}
      {isMarked(file) && (
        <p className={`buttons ${styles.marks}`}>
          {marksOf(file).map((mark) => (
            <bdi key={mark}>{mark}</bdi>
          ))}
        </p>
      )}
    </li>
  );
}
