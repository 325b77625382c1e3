import type { Finding, FindingAction } from '../../../../../src/contract/findings.ts';
import type { RepositoryState } from '../../../../../src/contract/organization-health.ts';
import { GithubLink, InternalLink } from '../../../components/controls.tsx';
import { gravestFirst, linkTextOf } from './words.ts';

/** To what there is to do, or to the setup health on this page. */
export type Link = { to: FindingAction | '#setup'; text: string };

export const linkOf = (finding: Finding): Link | null =>
  finding.action && { to: finding.action, text: linkTextOf(finding) };

/** The link to the repositories that a finding is about. */
export const listLink = ({ about }: Finding, state: RepositoryState): Link => ({
  to: `/org/repositories?state=${state}`,
  text: about && 'count' in about && about.count === 1 ? 'Show the repository' : 'Show the repositories',
});

/** An owner's next steps: first about the check, then about who can approve, then choices that nobody has made yet. */
export const stepsOf = (findings: Finding[]): Link[] =>
  gravestFirst(findings)
    .flatMap((finding) => linkOf(finding) ?? [])
    .filter(({ to }) => to.startsWith('/'));

/** @param settingsUrl GitHub's page of the installation. */
export function FindingLink({ to, text, settingsUrl }: Link & { settingsUrl: string }) {
  if (to === '#setup')
    return (
      <a className="target" href={to}>
        {text}
      </a>
    );
  if (to === 'installation' || to === 'apps') {
    // GitHub's page with the Apps of an account is next to that of one of its installations.
    const apps = settingsUrl.replace(/\/installations\/[0-9]+\/?$/, '/apps');
    return (
      <GithubLink className="target" href={to === 'apps' ? apps : settingsUrl} newTab>
        {text}
      </GithubLink>
    );
  }
  const [path = '', query] = to.split('?');
  return (
    <InternalLink className="target" to={path} query={Object.fromEntries(new URLSearchParams(query))}>
      {text}
    </InternalLink>
  );
}
