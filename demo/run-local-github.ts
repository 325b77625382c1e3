import { shutDownOnSignal } from '../src/app/shutdown.ts';
import { readSpeaksAs, type SpeaksAs } from './github/speaks-as.ts';
import { startLocalGitHub } from './local-github.ts';

type Settings = { port: number; publicUrl: string; speaksAs: SpeaksAs };

/** @throws an Error of one sentence if DEMO_GITHUB_PORT, DEMO_GITHUB_AS or PUBLIC_URL is invalid. */
function readSettings(env: NodeJS.ProcessEnv): Settings {
  const port = Number(env.DEMO_GITHUB_PORT || 4001);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error('DEMO_GITHUB_PORT must be a port, for example 4001.');
  }
  const publicUrl = env.PUBLIC_URL || 'http://localhost:3000';
  if (!URL.canParse(publicUrl) || !/^https?:/.test(publicUrl)) {
    throw new Error('PUBLIC_URL must be an origin, for example http://localhost:3000.');
  }
  return { port, publicUrl, speaksAs: readSpeaksAs(env.DEMO_GITHUB_AS) };
}

/** `npm run demo:github`: runs the local GitHub alone, for a product that you start yourself. */
async function main(): Promise<void> {
  const github = await startLocalGitHub({
    ...readSettings(process.env),
    hasVault: true,
    hasWorkflow: true,
    hasAgents: true,
  });
  const { origin, env, facts } = github;
  shutDownOnSignal(() => github.close());
  process.stdout.write(`${JSON.stringify({ ready: true, github: origin, ...facts, env })}\n`);
  process.stderr.write(
    `A local GitHub is running at ${origin}, with a pull request at ${facts.pull}.\n` +
      `It sends webhooks to ${env.PUBLIC_URL}. The line above has the settings for npm start. Press Ctrl-C to stop.\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});
