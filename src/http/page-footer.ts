import { type Html, html } from '../shared/html.ts';

/**
 * What the footer of each page has beside the maker's credit. It's part of the page, so scripts don't load it.
 *
 * @param version Empty if the installation doesn't know it.
 */
export const pageFooter = (version: string): Html => html`<span>Version ${version || 'unknown'}</span>
<a href="/authenticator-types" rel="noreferrer">Help</a>
<a href="/verify">Verify a receipt</a>`;
