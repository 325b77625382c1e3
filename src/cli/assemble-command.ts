import { type Assembly, assemble } from '../assemble.ts';
import { systemClock } from '../clock.ts';
import { createGitHubApp } from '../github/app.ts';
import type { Command } from './run-command.ts';

/** The product's use cases for a command, with a GitHub App that is ready. */
export async function assembleCommand({ config, log, client, limits }: Command): Promise<Assembly> {
  const app = createGitHubApp(config.github, { log, limits });
  await app.probot.ready();
  return assemble(config, { app, client, log, clock: systemClock });
}
