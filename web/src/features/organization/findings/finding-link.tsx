import type { Finding, FindingAction } from '../../../../../src/contract/findings.ts';
import { GithubLink, InternalLink } from '../../../components/controls.tsx';
import { linkTextOf } from './words.ts';

/** To what there is to do, or to the setup health on this page. */
export type Link = {
  to: FindingAction | '#setup';
  text: string;
  /** A word or two that stand for the text on the screen. */
  verb?: string;
};

export const linkOf = (finding: Finding): Link | null =>
  finding.action && { to: finding.action, text: linkTextOf(finding) };

/** @param settingsUrl GitHub's page of the installation. */
export function FindingLink({
  to,
  text,
  verb,
  className = 'target',
  settingsUrl,
}: Link & { settingsUrl: string; className?: string }) {
  const words = verb ? (
    <>
      {verb}
      <span className="visually-hidden">: {text}</span>
    </>
  ) : (
    text
  );
  if (to === '#setup')
    return (
      <a className={className} href={to}>
        {words}
      </a>
    );
  if (!to.startsWith('/')) {
    // GitHub's page with the Apps of an account is next to that of one of its installations.
    const apps = settingsUrl.replace(/\/installations\/[0-9]+\/?$/, '/apps');
    const href = to === 'installation' ? settingsUrl : to === 'apps' ? apps : to;
    return (
      <GithubLink className={className} href={href} newTab>
        {words}
      </GithubLink>
    );
  }
  const [path = '', query] = to.split('?');
  return (
    <InternalLink className={className} to={path} query={Object.fromEntries(new URLSearchParams(query))}>
      {words}
    </InternalLink>
  );
}
