import { beforeEach } from '@jest/globals';
import { nockGitHub } from '../support/nock-github.ts';
import {
  CHECK_RUNS,
  MEMBERS,
  PULLS,
  RUN,
  RUNS_OF_HEAD,
  type RunBody,
  reply,
  startBot,
  TOKENS,
} from './bot.ts';

/** GitHub, and a bot that is a new one in each test of the file that imports this. */
export const github = nockGitHub();
export let bot: Awaited<ReturnType<typeof startBot>>;
beforeEach(async () => {
  bot = await startBot();
  github.answers('POST', TOKENS, reply.token);
});

/** The runs that were created, with their final content: a success is created as pending, then completed. */
export function runs(): RunBody[] {
  const completions = github.requests('PATCH', RUN).map(({ body }) => body as RunBody);
  return github.requests('POST', CHECK_RUNS).map(({ body }) => {
    const run = body as RunBody;
    return run.conclusion ? run : { ...run, ...completions.shift() };
  });
}

/** GitHub knows the installation and its members, and has the open pull request and, once it is created, its run. */
export function foresee(): void {
  github.answers('GET', PULLS, reply.pulls());
  github.answers('GET', RUNS_OF_HEAD, () =>
    github.requests('POST', CHECK_RUNS).length === 0 ? reply.noRuns : reply.runs,
  );
  github.answers('GET', MEMBERS, reply.members);
}
