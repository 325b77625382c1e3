import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findUnreviewedBinary } from '../src/adapters/pocketbase/process/binary.ts';
import { startProduct } from '../src/app/product.ts';
import { shutDownOnSignal } from '../src/app/shutdown.ts';
import { ConfigError, readConfig } from '../src/settings/config.ts';
import { createLog } from '../src/shared/log.ts';
import { MAIL_PATH } from './github/pages/mail-page.ts';
import { readSpeaksAs } from './github/speaks-as.ts';
import { type LocalGitHub, startLocalGitHub } from './local-github.ts';
import { startMailSink } from './mail-sink.ts';

/** The demo runs in `dist-demo/demo`; the dashboard is in the product's build. */
const BUILT_DASHBOARD = fileURLToPath(new URL('../../dist/web', import.meta.url));

const DEFAULT_SENDER = 'otp-guard@example.org';

type Closers = (() => unknown)[];

/** `npm run demo`: runs the product against a local GitHub. It needs no account, settings or network. */
async function main(): Promise<void> {
  const closers: Closers = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      for (const close of closers.reverse()) await close();
    })();
    return stopping;
  };
  shutDownOnSignal(stop);
  try {
    await start(process.env, closers);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts everything; adds to `closers` how to stop each part. */
async function start(env: NodeJS.ProcessEnv, closers: Closers): Promise<void> {
  const port = env.PORT ?? '3000';
  takeUnreviewedBinary(env);
  const dataDir = env.DATA_DIR || createDataDir(closers);
  const sink = env.SMTP_URL ? undefined : await startMailSink();
  if (sink) closers.push(() => sink.close());
  const github = await startLocalGitHub({
    port: Number(env.DEMO_GITHUB_PORT ?? 4001),
    publicUrl: `http://localhost:${port}`,
    crowd: {
      members: Number(env.DEMO_MEMBERS ?? 0),
      repositories: Number(env.DEMO_REPOSITORIES ?? 0),
      pulls: Number(env.DEMO_PULLS ?? 0),
    },
    hasVault: true,
    hasWorkflow: true,
    hasAgents: true,
    isGating: true,
    mails: sink?.mails,
    isWatching: true,
    speaksAs: readSpeaksAs(env.DEMO_GITHUB_AS),
  });
  closers.push(() => github.close());
  const config = readConfig({
    ...github.env,
    SMTP_URL: sink?.url ?? env.SMTP_URL,
    MAIL_FROM: sink ? env.MAIL_FROM || DEFAULT_SENDER : env.MAIL_FROM,
    PORT: port,
    HOST: env.HOST ?? 'localhost',
    DATA_DIR: dataDir,
    LOG_LEVEL: env.LOG_LEVEL ?? 'warn',
  });
  if (!config.github) throw new Error('the local GitHub has no App');
  const product = await startProduct(
    { ...config, github: config.github },
    { log: await createLog(config), dashboardDir: BUILT_DASHBOARD },
  );
  closers.push(() => product.stop());
  // After its first round, the pull request that we announce has its pending check.
  await product.firstRound;
  announce({ dashboard: config.publicUrl, github, mail: sink ? `${github.origin}${MAIL_PATH}` : null });
}

/** Nothing in the demo is worth protecting, so it also runs where nobody reviewed PocketBase's binary. */
function takeUnreviewedBinary(env: NodeJS.ProcessEnv): void {
  const unreviewed = findUnreviewedBinary();
  if (!unreviewed) return;
  env.POCKETBASE_SHA256 = unreviewed.hash;
  process.stderr.write(
    `Nobody reviewed PocketBase’s binary for ${unreviewed.platform} (SHA-256 ${unreviewed.hash}). The demo uses it; otp-guard doctor says how to compare it.\n`,
  );
}

function createDataDir(closers: Closers): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-demo-'));
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/**
 * Prints the next steps for people, and one line of JSON for programs: not in a terminal, unless `--json` asks for it.
 *
 * @param input.mail The page that shows the product's mail; null if SMTP_URL names a mail server.
 */
function announce(input: { dashboard: string; github: LocalGitHub; mail: string | null }): void {
  const { dashboard, github, mail } = input;
  process.stderr.write(
    [
      '',
      'OTP Guard is running against a local GitHub.',
      '',
      `  1. Open the pull request:  ${github.facts.pull}`,
      '     Its check “OTP Guard” is pending, so it cannot be merged.',
      '  2. Follow Details, sign in as octocat or mona, and register a passkey.',
      '  3. Approve. Now the pull request can be merged.',
      `     Agents write here, too, and its release waits for you: ${github.origin}/${github.facts.org}/${github.facts.repo}`,
      '',
      mail ? `Its mail is shown at ${mail}` : 'Its mail goes to the server in SMTP_URL.',
      '',
      'Press Ctrl-C to stop.',
      '',
      '',
    ].join('\n'),
  );
  // It has a token, and nobody reads it in a terminal.
  if (process.stdout.isTTY && !process.argv.includes('--json')) return;
  process.stdout.write(
    `${JSON.stringify({ ready: true, dashboard, github: github.origin, mail, ...github.facts })}\n`,
  );
}

main().catch((error: unknown) => {
  const message =
    error instanceof ConfigError ? error.message : ((error as Error)?.message ?? 'unknown reason');
  process.stderr.write(`The demo could not start: ${message}\n`);
  process.exit(1);
});
