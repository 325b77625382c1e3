import type { Teams } from '../../approvals/ports.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub, NOT_VISIBLE } from './from-github.ts';
import { createIdLists } from './id-lists.ts';
import { ifChanged } from './page-cache.ts';

/**
 * Who belongs to a team. GitHub's list has the members of child teams too, without those who are only invited, and it
 * has ids; its answer about one person has only their login, which can pass to another.
 */
export function createTeams(app: GitHubApp, clock: Clock = systemClock): Teams {
  const members = createIdLists(clock);
  return {
    async has({ installation, owner }, team, person) {
      const [org = '', slug = ''] = team.toLowerCase().replace(/^@/, '').split('/');
      // Dots alone would be another path.
      if (org !== owner.toLowerCase() || /^\.*$/.test(slug)) return null;
      const octokit = await fromGitHub(app.asInstallation(installation), NOT_VISIBLE);
      if (!octokit) return null;
      const query = { org: owner, team_slug: slug, per_page: 100 };
      const ids = await members(`${installation}/${org}/${slug}`, (page, etag) =>
        octokit.rest.teams.listMembersInOrg({ ...query, page, ...ifChanged(etag) }),
      );
      return ids === null ? null : ids.has(person.githubId);
    },
  };
}
