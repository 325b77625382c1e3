import { type Html, html } from '../html.ts';

export type FooterInput = {
  /** Empty if the installation doesn't know it. */
  version: string;
  /** Where people of this installation find help; a page of the dashboard if the operator names none. */
  helpUrl: string | undefined;
  /** Where the source of this installation is; undefined if the operator names no place. */
  sourceUrl: string | undefined;
};

/** A page of the dashboard that anybody may open: which authenticators there are. */
const OWN_HELP = '/authenticator-types';

/** What the footer of each page has beside the maker's credit. It's part of the page, so scripts don't load it. */
export function pageFooter({ version, helpUrl, sourceUrl }: FooterInput): Html {
  return html`<span>Version ${version || 'unknown'}</span>
<a href="${helpUrl ?? OWN_HELP}" rel="noreferrer">Help</a>
${sourceUrl && html`<a href="${sourceUrl}" rel="noreferrer">Source</a>`}
<a href="/verify">Verify a receipt</a>`;
}
