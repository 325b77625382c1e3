/** A piece of an entry's text: plain words, a name that a person chose, or a commit. */
export type Part = string | { name: string } | { commit: string };

/** An entry's text as one string, for screen readers. */
export const plainText = (parts: Part[]): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'name' in part ? part.name : part.commit.slice(0, 8);
    })
    .join('');
