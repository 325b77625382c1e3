import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from '../config.ts';
import { endWhenAsked } from '../ending.ts';
import { createLog } from '../log.ts';
import { startProduct } from '../product.ts';
import { MAIL_PATH } from './github/pages/mail-page.ts';
import { type LocalGitHub, startLocalGitHub } from './local-github.ts';
import { startMailSink } from './mail-sink.ts';

/** The sender where the demo catches the mail itself. */
const SENDER = 'otp-guard@example.org';

/** `npm run demo`: the whole product against a local GitHub, without an account, a setting or a network. */
async function main(): Promise<void> {
  const {
    PORT = '3000',
    DEMO_GITHUB_PORT = '4001',
    DEMO_MEMBERS = '0',
    DEMO_REPOSITORIES = '0',
    HOST = 'localhost',
    DATA_DIR,
    LOG_LEVEL = 'warn',
    LOG_FORMAT,
    SMTP_URL,
    MAIL_FROM,
  } = process.env;
  const dataDir = DATA_DIR || mkdtempSync(join(tmpdir(), 'otp-guard-demo-'));
  const endings: (() => unknown)[] = [];
  if (!DATA_DIR) endings.push(() => rmSync(dataDir, { recursive: true, force: true }));

  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= (async () => {
      for (const step of endings.reverse()) await step();
    })();
    return ending;
  };
  endWhenAsked(end);

  try {
    const sink = SMTP_URL ? undefined : await startMailSink();
    if (sink) endings.push(() => sink.close());
    const mail = sink ? { SMTP_URL: sink.url, MAIL_FROM: MAIL_FROM || SENDER } : { SMTP_URL, MAIL_FROM };
    const github = await startLocalGitHub({
      port: Number(DEMO_GITHUB_PORT),
      publicUrl: `http://localhost:${PORT}`,
      crowd: { members: Number(DEMO_MEMBERS), repositories: Number(DEMO_REPOSITORIES) },
      mails: sink?.mails,
    });
    endings.push(() => github.close());
    const config = readConfig({
      ...github.env,
      ...mail,
      PORT,
      HOST,
      DATA_DIR: dataDir,
      LOG_LEVEL,
      LOG_FORMAT,
    });
    if (!config.github) throw new Error('the local GitHub has no App');
    const product = await startProduct(
      { ...config, github: config.github },
      { log: await createLog(config) },
    );
    endings.push(() => product.stop());
    // The pull request that we speak of is pending by then.
    await product.covered;
    announce({ dashboard: config.publicUrl, github, mail: sink ? `${github.origin}${MAIL_PATH}` : null });
  } catch (error) {
    await end();
    throw error;
  }
}

/** @param input.mail The page that shows what the product sends; null where a mail server of the environment gets it. */
function announce(input: { dashboard: string; github: LocalGitHub; mail: string | null }): void {
  const { dashboard, github, mail } = input;
  process.stderr.write(
    [
      '',
      'OTP Guard is running against a GitHub of its own.',
      '',
      `  1. Open the pull request:  ${github.facts.pull}`,
      '     Its check “OTP Guard” waits, and the merge button refuses.',
      '  2. Follow Details, sign in as octocat or mona, and register a passkey.',
      '  3. Approve. The pull request can be merged now.',
      '',
      mail ? `Mail that it sends arrives at ${mail}` : 'Mail goes to the server of SMTP_URL.',
      '',
      'Ctrl-C ends it all.',
      '',
      '',
    ].join('\n'),
  );
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
