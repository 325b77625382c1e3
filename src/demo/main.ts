import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from '../config.ts';
import { endWhenAsked } from '../ending.ts';
import { createLog } from '../log.ts';
import { startProduct } from '../product.ts';
import { type LocalGitHub, startLocalGitHub } from './local-github.ts';

/** `npm run demo`: the whole product against a local GitHub, without an account, a setting or a network. */
async function main(): Promise<void> {
  const {
    PORT = '3000',
    DEMO_GITHUB_PORT = '4001',
    HOST = 'localhost',
    DATA_DIR,
    LOG_LEVEL = 'warn',
    LOG_FORMAT,
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
    const github = await startLocalGitHub({
      port: Number(DEMO_GITHUB_PORT),
      publicUrl: `http://localhost:${PORT}`,
    });
    endings.push(() => github.close());
    const config = readConfig({ ...github.env, PORT, HOST, DATA_DIR: dataDir, LOG_LEVEL, LOG_FORMAT });
    if (!config.github) throw new Error('the local GitHub has no App');
    const product = await startProduct(
      { ...config, github: config.github },
      { log: await createLog(config) },
    );
    endings.push(() => product.stop());
    // The pull request that we speak of is pending by then.
    await product.covered;
    announce(config.publicUrl, github);
  } catch (error) {
    await end();
    throw error;
  }
}

function announce(dashboard: string, github: LocalGitHub): void {
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
      'Ctrl-C ends it all.',
      '',
      '',
    ].join('\n'),
  );
  process.stdout.write(
    `${JSON.stringify({ ready: true, dashboard, github: github.origin, ...github.facts })}\n`,
  );
}

main().catch((error: unknown) => {
  const message =
    error instanceof ConfigError ? error.message : ((error as Error)?.message ?? 'unknown reason');
  process.stderr.write(`The demo could not start: ${message}\n`);
  process.exit(1);
});
