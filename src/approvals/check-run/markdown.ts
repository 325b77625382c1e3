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
