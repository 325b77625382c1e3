import type { Config } from './config.ts';

export type PullLocator = { owner: string; repo: string; pr: string };

/** The address of the pull request's page. */
export function pullAddress({ github }: Pick<Config, 'github'>, { owner, repo, pr }: PullLocator): string {
  return `${github}/${[owner, repo, 'pull', pr].map(encodeURIComponent).join('/')}`;
}
