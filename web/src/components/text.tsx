import { Fragment } from 'react';
import { REORDERING, UNSEEN } from '../../../src/contract/unseen.ts';
import { useClient } from '../lib/react/use-client.ts';
import { ago, dayOf, exactTime, toIso } from '../lib/times.ts';
import styles from './text.module.css';

type Props = {
  text: string;
  /** Inside a sentence: the name flows with the words around it and isn't cut. */
  inline?: boolean;
  /** Inside a sentence, which is about this name. */
  strong?: boolean;
};

/** A person's text whose order is as it was written: characters that show others in another order become their numbers. */
export const inOrder = (text: string): string =>
  text.replace(REORDERING, (found) => `[U+${found.charCodeAt(0).toString(16).toUpperCase()}]`);

/**
 * A name that a person chose, shown as plain text. Its writing direction doesn't leak into the text around it, and a
 * long name breaks anywhere and is cut after four lines.
 */
export const Label = ({ text, inline = false, strong = false }: Props) => {
  const name = <bdi className={styles.inline}>{inOrder(text)}</bdi>;
  if (strong) return <strong>{name}</strong>;
  // The block isn't the `bdi` itself, which would put a text from right to left at the other side.
  return inline ? name : <span className={styles.label}>{name}</span>;
};

/** A name in parts: the odd ones are characters that can't be seen, as their numbers, such as `U+202E`. */
export const spell = (name: string): string[] =>
  name
    .split(UNSEEN)
    .map((part, index) =>
      index % 2 === 0 ? part : `U+${(part.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
    );

/** A path or branch from left to right, whatever its parts are written in. What can't be seen is shown as its number. */
export const SpelledName = ({ name }: { name: string }) => (
  <span dir="ltr">
    {name.split('/').map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name have no other identity.
      <Fragment key={index}>
        {index > 0 && '/'}
        <Spelled text={part} />
      </Fragment>
    ))}
  </span>
);

const TAB = 'U+0009';

/** A text whose characters that can't be seen are shown as their numbers. In code, tabs stay tabs. */
export const Spelled = ({ text, isCode = false }: { text: string; isCode?: boolean }) => (
  <bdi className={styles.spelled}>
    {spell(text).map((piece, position) =>
      position % 2 === 0 ? (
        piece
      ) : isCode && piece === TAB ? (
        '\t'
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other identity.
        <mark key={position}>{piece}</mark>
      ),
    )}
  </bdi>
);

const SHORT = 8;

/** The first eight characters of a hash. Hovering shows all of it; a copy of the text and a print have all of it. */
export const Hash = ({ hash }: { hash: string }) => (
  <code title={hash}>
    {hash.slice(0, SHORT)}
    <span className={styles.rest} aria-hidden="true">
      {hash.slice(SHORT)}
    </span>
  </code>
);

/** The first eight characters of a commit's hash. */
export function Commit({ sha }: { sha: string }) {
  return <code>{sha.slice(0, 8)}</code>;
}

type DayProps = {
  /** A time as the record store writes it. */
  at: string;
};

/** The day part of a time. */
export const Day = ({ at }: DayProps) => <Time at={at} text={dayOf(at)} />;

/** How long ago a time was. */
export function Ago({ at }: DayProps) {
  const { now } = useClient();
  return <Time at={at} text={ago(at, now())} />;
}

/** Hovering, and the keyboard's focus in its row, show the exact time instead. */
const Time = ({ at, text }: DayProps & { text: string }) => (
  <time dateTime={toIso(at)} title={exactTime(at)}>
    <span>{text}</span>
  </time>
);

type SkeletonProps = {
  /** Text about as long as what is loading; only its length is used. */
  like: string;
};

/** Reserves the space of a text that is loading. Screen readers get `aria-busy` on the card instead. */
export const Skeleton = ({ like }: SkeletonProps) => (
  <span className={styles.skeleton} aria-hidden="true">
    {like}
  </span>
);

/** Reserves the space of a paragraph that is loading. */
export const SkeletonLine = ({ like, className }: SkeletonProps & { className?: string | undefined }) => (
  <p className={className}>
    <Skeleton like={like} />
  </p>
);
