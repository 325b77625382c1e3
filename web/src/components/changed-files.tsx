import { useId, useState } from 'react';
import type { FileMark, Patch, ShownFiles } from '../../../src/contract/approvals.ts';
import { isStrong, MOST_SHOWN, type ShownFile } from '../lib/pull-texts.ts';
import { CHANGE_ICONS, chevronIcon, modifiedIcon } from './change-icons.ts';
import styles from './changed-files.module.css';
import { Button, GithubLink, quietActionLink } from './controls.tsx';
import { Icon } from './icon.tsx';
import { Spelled, SpelledName } from './text.tsx';

type Props = {
  /** Null if GitHub didn't list them in time. */
  files: ShownFiles | null;
  /** The page of changes on GitHub. */
  changesUrl: string;
  /** True if the list is on its way. */
  isLoading?: boolean;
  /** True if the patches of the files to look at closely are open. */
  isOpen?: boolean;
};

/** The link to the changes, for the end of the heading above the files. */
export const ViewChanges = ({ changesUrl }: Pick<Props, 'changesUrl'>) => (
  <GithubLink href={changesUrl} newTab className={quietActionLink}>
    View changes on GitHub
  </GithubLink>
);

/** The changed files, those first that a person should look at closely. Each opens to the beginning of its patch. */
export function ChangedFiles({ files, changesUrl, isLoading = false, isOpen = false }: Props) {
  if (!files)
    return <p className="muted">{isLoading ? 'Loading files…' : 'GitHub is slow to list the files.'}</p>;
  const { listed, total, isComplete } = files;
  if (total === 0) return <p className="muted">This commit changes no files.</p>;
  const sorted = [...listed.filter(isStrong), ...listed.filter((file) => !isStrong(file))];
  const shown = sorted.slice(0, MOST_SHOWN);
  const more = total - shown.length;
  return (
    <>
      <ul className={styles.files} aria-label="Changed files">
        {shown.map((file) => (
          <FileRow key={file.path} {...{ file, changesUrl }} startsOpen={isOpen && isStrong(file)} />
        ))}
      </ul>
      {more > 0 && <p>{more === 1 ? "1 more isn't" : `${more} more aren't`} shown here.</p>}
      {!isComplete && !isLoading && more <= 0 && <p className="quiet">The list may not be complete.</p>}
    </>
  );
}

/** Why to look at files: the strong marks are filled. */
export const Marks = ({ marks }: { marks: FileMark[] }) => (
  <span className={`buttons quiet ${styles.marks}`}>
    {marks.map(({ name, isStrong }) => (
      <bdi key={name} className={isStrong ? styles.strong : styles.weak}>
        {name}
      </bdi>
    ))}
  </span>
);

type FileRowProps = { file: ShownFile; changesUrl: string; startsOpen: boolean };

function FileRow({ file, changesUrl, startsOpen }: FileRowProps) {
  const { path, previousPath, status, patch, marks } = file;
  const [isOpen, setOpen] = useState(startsOpen);
  const href = `${changesUrl}#diff-${file.anchor}`;
  const id = useId();
  return (
    <li className={styles.file}>
      {patch && (
        <Button variant="bar" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          <Icon path={chevronIcon} />
          <span className="visually-hidden">Patch of {path}</span>
        </Button>
      )}
      <span className={`${styles.status} ${status === 'added' ? 'success' : ''}`} title={status}>
        <Icon path={CHANGE_ICONS[status] ?? modifiedIcon} />
        <span className="visually-hidden">{status}</span>
      </span>
      <div className={styles.about}>
        <GithubLink href={href} newTab className={styles.path}>
          <code>
            <SpelledName name={path} />
          </code>
        </GithubLink>
        <Lines {...file} />
        {previousPath !== null && (
          <p className="quiet">
            from{' '}
            <code>
              <SpelledName name={previousPath} />
            </code>
          </p>
        )}
        {marks.length > 0 && (
          <p>
            <Marks marks={marks} />
          </p>
        )}
      </div>
      {isOpen && patch && <PatchText id={id} patch={patch} href={href} />}
    </li>
  );
}

const TAGS: Record<string, 'ins' | 'del' | 'span'> = { '+': 'ins', '-': 'del' };

const SQUARES = 5;

/** The counts of lines, such as `+6 −1`, and their share in five squares, as GitHub draws them. */
function Lines({ additions, deletions }: Pick<ShownFile, 'additions' | 'deletions'>) {
  const total = additions + deletions;
  const share = Math.round((SQUARES * additions) / total);
  const added =
    total > SQUARES
      ? Math.min(Math.max(share, Math.sign(additions)), SQUARES - Math.sign(deletions))
      : additions;
  const removed = total > SQUARES ? SQUARES - added : deletions;
  const signs = [...`${'+'.repeat(added)}${'-'.repeat(removed)}`.padEnd(SQUARES)];
  return (
    <span className={`quiet ${styles.lines}`}>
      +{additions} {'\u2212'}
      {deletions}
      <span className={styles.squares} aria-hidden="true">
        {signs.map((sign, index) => {
          const Tag = TAGS[sign] ?? 'span';
          // biome-ignore lint/suspicious/noArrayIndexKey: the squares have no other identity.
          return <Tag key={index} />;
        })}
      </span>
    </span>
  );
}

type PatchTextProps = { id: string; patch: Patch; href: string };

function PatchText({ id, patch: { text, isCut }, href }: PatchTextProps) {
  return (
    <div id={id} className={styles.patch}>
      {text && (
        <pre dir="ltr">
          {text.split('\n').map((line, index) => {
            const Tag = TAGS[line[0] ?? ''] ?? 'span';
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity.
              <Tag key={index}>
                <Spelled text={line} isCode />
              </Tag>
            );
          })}
        </pre>
      )}
      {isCut && (
        <GithubLink href={href} newTab className="target">
          {text ? 'See the rest on GitHub' : 'Too long to show here. See it on GitHub'}
        </GithubLink>
      )}
    </div>
  );
}
