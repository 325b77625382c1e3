/** Markup that is safe to send. Only `html` creates it. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Value = string | number | Html | readonly Html[] | null | undefined | false;

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as markup shows it, between tags and in a quoted attribute. */
export const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map((each) => each.markup).join('');
  return escapeText(String(value));
}

/** Markup from a template. Values are escaped, unless they are markup. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.map((part, index) => part + render(values[index])).join(''));
}
