import type { MailMessage, MailPart } from '../../notices/ports.ts';
import { Html, html } from '../../shared/html.ts';

/** The width and height at which a message shows its image, in CSS pixels. */
const SHOWN_SIZE = 64;

/** The text with LF as line end, and without control characters other than LF and tab. */
const clean = (text: string) => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');

type RenderInput = Pick<MailMessage, 'subject' | 'parts' | 'org' | 'unsubscribeUrl'> & {
  /** The content id of the attached image; null if there is none. */
  imageId: string | null;
  /** The product's own origin. */
  origin: string;
};

/** Renders a message as plain text and as HTML, both from its parts. They load nothing, and link only to the product. */
export function renderMail(input: RenderInput): { subject: string; text: string; html: string } {
  const { origin, org, unsubscribeUrl } = input;
  const parts = input.parts.filter((part) => isAllowed(part, origin));
  const footer = org === null ? 'OTP Guard' : `OTP Guard for ${org}`;
  const settings = unsubscribeUrl === null ? null : { text: 'Change what you get', url: `${origin}/email` };
  return {
    subject: clean(input.subject).replace(/\s+/g, ' '),
    text: toText(parts, settings === null ? footer : `${footer} · ${settings.text}: ${settings.url}`),
    html: toHtml(parts, { ...input, footer, settings }).markup,
  };
}

/** False for an address of another origin: a record that somebody changed must not make us send people there. */
const isAllowed = (part: MailPart, origin: string): boolean =>
  typeof part === 'string' ||
  !('url' in part) ||
  (URL.canParse(part.url) && new URL(part.url).origin === new URL(origin).origin);

/** Two hyphens and a space begin what mail programs show as a signature (RFC 3676, section 4.3). */
const toText = (parts: MailPart[], footer: string) =>
  clean([...parts.map(textOf), `-- \n${footer}`].join('\n\n'));

function textOf(part: MailPart): string {
  if (typeof part === 'string') return part;
  if ('url' in part) return `${part.text}:\n${part.url}`;
  return 'note' in part ? `${part.text}\n\n${part.note}` : part.text;
}

type Shown = {
  imageId: string | null;
  footer: string;
  settings: { text: string; url: string } | null;
  subject: string;
};

/** Texts that people chose stand in `bdi`, which keeps their direction to themselves. */
const toHtml = (
  parts: MailPart[],
  { imageId, footer, settings, subject }: Shown,
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${clean(subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="card">
${imageId && html`<p><img src="cid:${imageId}" width="${SHOWN_SIZE}" height="${SHOWN_SIZE}" alt="Your security image"></p>`}
${parts.map(htmlOf)}
</div>
<p class="footer"><bdi>${clean(footer)}</bdi>${settings && html` · <a href="${settings.url}">${settings.text}</a>`}</p>
</body>
</html>
`;

function htmlOf(part: MailPart): Html {
  if (typeof part === 'string') return html`<p><bdi>${clean(part)}</bdi></p>\n`;
  const text = clean(part.text);
  if ('url' in part) return html`<p><a class="${part.role}" href="${part.url}">${text}</a></p>\n`;
  if (part.role === 'heading') return html`<h1><bdi>${text}</bdi></h1>\n`;
  if ('note' in part)
    return html`<div class="checkpoint"><p class="quiet"><bdi>${text}</bdi></p>\n<pre>${clean(part.note)}</pre></div>\n`;
  return html`<p class="quiet"><bdi>${text}</bdi></p>\n`;
}

/** The dashboard's colors (web/src/styles/tokens.css). A program without `:has` drops only that rule. */
const STYLE = new Html(`
:root { color-scheme: light dark; }
body { margin: 0; padding: 16px; background: #f6f8fa; color: #1f2328; overflow-wrap: anywhere;
  font: 16px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
.card, .footer { box-sizing: border-box; max-width: 24rem; margin: 0 auto; }
.card { padding: 24px 24px 8px; background: #ffffff; border: 1px solid #d1d9e0; border-radius: 12px; }
h1 { margin: 0 0 16px; font-size: 20px; line-height: 1.3; }
p { margin: 0 0 16px; }
img { display: block; }
a { color: #0550ae; }
.link, .button { display: inline-block; min-height: 44px; line-height: 44px; }
.button { display: block; border-radius: 6px; background: #0a5cc4; color: #ffffff; font-weight: 600; text-align: center;
  text-decoration: none; }
.quiet, .footer { color: #4b535d; font-size: 14px; }
.quiet:has(+ h1) { margin-bottom: 4px; }
h1:has(+ .quiet) { margin-bottom: 4px; }
.footer { padding: 16px 8px; text-align: center; }
.checkpoint { padding-top: 16px; border-top: 1px solid #d1d9e0; }
p:has(.link) + .quiet { padding-top: 16px; border-top: 1px solid #d1d9e0; }
pre { margin: 0 0 16px; color: #4b535d; white-space: pre-wrap;
  font: 12px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) {
  body { background: #0d1117; color: #f0f6fc; }
  .card { background: #151b23; border-color: #3d444d; }
  a { color: #79c0ff; }
  .button { background: #1f6feb; color: #ffffff; }
  .quiet, .footer, pre { color: #adb5bd; }
  .checkpoint { border-color: #3d444d; }
  p:has(.link) + .quiet { border-color: #3d444d; }
}
`);
