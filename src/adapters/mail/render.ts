import { escapeText } from '../../shared/html.ts';

/** The width and height at which a message shows its image, in CSS pixels. */
const SHOWN_SIZE = 96;

/** A longer address is cut where it's shown as HTML, where it would be a block of signs. */
const LONGEST_SHOWN = 60;

/** The text with LF as line end, and without control characters other than LF and tab. */
const clean = (text: string) => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');

/** Links a word that starts with the product's origin, but not one of another origin that only starts the same. */
function linkWord(word: string, origin: string): string {
  const [, address = '', rest = ''] = /^(.*?)([.,;:!?)]*)$/.exec(word) ?? [];
  const isOurs = address === origin || /^[/?#]/.test(address.slice(origin.length));
  // Only starts like our address. The rest can be a name that a person chose, with markup in it.
  if (!isOurs) return escapeText(word);
  const shown = address.length > LONGEST_SHOWN ? `${address.slice(0, LONGEST_SHOWN)}…` : address;
  return `<a href="${escapeText(address)}">${escapeText(shown)}</a>${escapeText(rest)}`;
}

function renderParagraph(paragraph: string, origin: string): string {
  const markup = paragraph
    .split(/(\s+)/)
    .map((part) => (part.startsWith(origin) ? linkWord(part, origin) : escapeText(part)))
    .join('')
    .replaceAll('\n', '<br>\n');
  return `<p dir="auto">${markup}</p>`;
}

type RenderInput = {
  subject: string;
  text: string;
  /** The content id of the attached image; null if there is none. */
  imageId: string | null;
  /** The product's own origin. */
  origin: string;
};

/**
 * Renders a message as plain text and as HTML. The HTML sets no colors, so that a client can show it light or
 * dark; it loads nothing, and links only to the product.
 */
export function renderMail({ subject, text, imageId, origin }: RenderInput): { text: string; html: string } {
  const plain = clean(text);
  const image =
    imageId === null
      ? ''
      : `<p><img src="cid:${imageId}" width="${SHOWN_SIZE}" height="${SHOWN_SIZE}" alt="Your security image"></p>\n`;
  const paragraphs = plain.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(clean(subject))}</title>
</head>
<body style="font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; margin: 16px; overflow-wrap: anywhere">
${image}${paragraphs.map((paragraph) => renderParagraph(paragraph.trim(), origin)).join('\n')}
</body>
</html>
`;
  return { text: plain, html };
}
