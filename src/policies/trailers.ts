/** A trailer of a commit's message: `Co-authored-by: Mona <mona@example.org>`, with its token in lower case. */
export type Trailer = { token: string; name: string; email: string | null };

/** More trailers are nobody's work, and each is kept with its commit. */
const MOST_TRAILERS = 100;

/** Git's own lines: with one of them, a quarter of the paragraph's lines are enough to make it one of trailers. */
const OF_GIT = /^(?:Signed-off-by: |\(cherry picked from commit )/;
const TRAILER = /^([A-Za-z\d-]+)[ \t]*:(.*)$/s;
const isBlank = (line: string) => /^[ \t\r]*$/.test(line);
const isFolded = (line: string) => /^[ \t\r]/.test(line);
const isComment = (line: string) => line.startsWith('#');

/**
 * Reads a message's trailers as `git interpret-trailers --parse --no-divider` does: from its last paragraph, if that isn't
 * the first, with folded lines. A trailer with several addresses is one for each. Not complete if there are too many.
 */
export function readTrailers(message: string): { trailers: Trailer[]; isComplete: boolean } {
  const lines = trailerLines(withoutEnd(message.split('\n')));
  const unfolded: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    if (isOpen && isFolded(line)) unfolded.push(`${unfolded.pop()} ${line.trim()}`);
    else {
      isOpen = TRAILER.test(line);
      if (isOpen) unfolded.push(line);
    }
    if (unfolded.length > MOST_TRAILERS) break;
  }
  const trailers = unfolded.slice(0, MOST_TRAILERS).flatMap(toTrailers);
  return {
    trailers: trailers.slice(0, MOST_TRAILERS),
    isComplete: unfolded.length <= MOST_TRAILERS && trailers.length <= MOST_TRAILERS,
  };
}

function toTrailers(line: string): Trailer[] {
  const [, written = '', value = ''] = TRAILER.exec(line) ?? [];
  const token = written.toLowerCase();
  const [first = '', ...others] = value.split('<');
  const trailers: Trailer[] = [];
  let name = first;
  for (const other of others) {
    const [email = '', next] = other.split('>', 2);
    if (next !== undefined) trailers.push({ token, name: toName(name), email: email.trim() || null });
    name = next ?? '';
  }
  return trailers.length > 0 ? trailers : [{ token, name: toName(value), email: null }];
}

const toName = (text: string) => text.replace(/^[\s,;]+/, '').trim();

/** Git takes empty lines and comments at the end, and its own list of conflicts, as no part of the message. */
function withoutEnd(lines: string[]): string[] {
  const scissors = lines.findIndex((line) => /^# -+ >8 -+$/.test(line));
  const all = scissors < 0 ? lines : lines.slice(0, scissors);
  let end = all.length;
  let isInConflicts = false;
  for (const [at, line] of all.entries()) {
    if (line === '' || isComment(line) || line === 'Conflicts:') end = Math.min(end, at);
    else if (!isInConflicts || !line.startsWith('\t')) end = all.length;
    isInConflicts = end < all.length && (isInConflicts || line === 'Conflicts:');
  }
  return all.slice(0, end);
}

/** The lines of the last paragraph, if its lines are trailers, or enough of them are and git wrote one. */
function trailerLines(lines: string[]): string[] {
  const title = lines.findIndex((line) => isBlank(line) && !isComment(line));
  let last = lines.length;
  while (last > title && isBlank(lines[last - 1] ?? '')) last -= 1;
  let [trailers, others, folded, isOfGit] = [0, 0, 0, false];
  for (let at = last - 1; title >= 0 && at >= title; at -= 1) {
    const line = lines[at] ?? '';
    if (isBlank(line)) {
      others += folded;
      const areTrailers = (isOfGit && trailers * 3 >= others) || (trailers > 0 && others === 0);
      return areTrailers ? lines.slice(at + 1, last) : [];
    }
    if (isComment(line)) [others, folded] = [others + folded, 0];
    else if (OF_GIT.test(line)) [trailers, folded, isOfGit] = [trailers + 1, 0, true];
    else if (TRAILER.test(line)) [trailers, folded] = [trailers + 1, 0];
    else if (isFolded(line)) folded += 1;
    else [others, folded] = [others + folded + 1, 0];
  }
  return [];
}
