export { Html, html } from '../../../src/shared/html.ts';

/** The address if it's http or https, so that a page may link to it; else undefined. */
export function linkable(address: string | null | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  return /^https?:$/.test(new URL(address).protocol) ? address : undefined;
}
