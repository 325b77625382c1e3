/** A piece of an entry's text: plain words, a name or a pattern that a person chose, a commit, or a time (RFC 3339). */
export type Part = string | { name: string } | { code: string } | { commit: string } | { time: string };

/** The tag of a template that is a text in pieces: the words between them, and what they're filled with. */
export const inParts = (words: TemplateStringsArray, ...filled: (Part | Part[])[]): Part[] =>
  words.flatMap((text, at) => [text, ...[filled[at] ?? []].flat()]).filter((part) => part !== '');

/** An entry's text as one string. Patterns are between backquotes. */
export const plainText = (parts: Part[], timeText: (at: string) => string): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('code' in part) return `\`${part.code}\``;
      if ('time' in part) return timeText(part.time);
      return 'name' in part ? part.name : part.commit.slice(0, 8);
    })
    .join('');
