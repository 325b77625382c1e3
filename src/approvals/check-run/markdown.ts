// Names in Markdown, each escaped for its place. A branch name can contain backquotes, brackets and HTML.

/**
 * The name as a code span. Its fence is longer than every run of backquotes in
 * the name, so the name can't end it (CommonMark 0.31.2, section 6.1).
 */
export function codeSpan(name: string): string {
  const text = oneLine(name);
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  // A backquote at the end would lengthen the fence, and of two spaces at the ends a parser removes one each.
  const padding = /^[` ]|[` ]$/.test(text) ? ' ' : '';
  return `${fence}${padding}${text}${padding}${fence}`;
}

/**
 * The name as plain text: every ASCII punctuation character is escaped
 * (section 2.4), except hyphens, which mean something only at the start of a line.
 */
export function escapeText(name: string): string {
  return oneLine(name).replace(/[!-,./:-@[-`{-~]/g, '\\$&');
}

/** A link. @param text Markdown. */
export function markdownLink(text: string, url: string): string {
  const encode = (sign: string) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return `[${text}](${url.replace(/[()<>\\\s]/g, encode)})`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no control character may start a new line or paragraph.
const oneLine = (name: string) => name.replace(/[\u0000-\u001f\u007f]+/g, ' ');

/** A stored checkpoint has at most 1,000 characters. An empty line comes before it. */
const ROOM_FOR_LOG = 1_500;

/**
 * GitHub refuses a check run with longer texts (docs.github.com, "REST API
 * endpoints for check runs"). It documents characters, but counts bytes of UTF-8. A completed run's summary ends
 * with the log's checkpoint.
 */
export const LONGEST = { title: 255, summary: 65_535 - ROOM_FOR_LOG, log: ROOM_FOR_LOG - 2 };

/**
 * Joins as many parts as fit into `limit` bytes. Parts that don't fit become one, the
 * last: `rest` says how many they are.
 */
export function joinWithin(
  limit: number,
  parts: string[],
  { separator, rest }: { separator: string; rest(count: number): string },
): string {
  const all = parts.join(separator);
  if (Buffer.byteLength(all) <= limit) return all;
  const room = limit - Buffer.byteLength(separator + rest(parts.length));
  let text = '';
  for (const [index, part] of parts.entries()) {
    const longer = index === 0 ? part : text + separator + part;
    if (Buffer.byteLength(longer) > room) {
      const left = rest(parts.length - index);
      return index === 0 ? left : text + separator + left;
    }
    text = longer;
  }
  return text;
}
