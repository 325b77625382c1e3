#!/usr/bin/env node
import { Command, CommanderError, Option } from 'commander';
import { UsageError } from './usage-error.ts';

// `otp-guard`: anyone can run it. It needs no settings and loads nothing of the server.

/** What the program's commands answer with: the exit code. */
const [VALID, NOT_VALID, WRONG_USAGE] = [0, 1, 2];

const keysOption = () =>
  new Option('--keys <file>', 'the server’s published key list, saved from /.well-known/otp-guard.json');
const originOption = () =>
  new Option('--origin <url>', 'the server’s address, to fetch its key list from').conflicts('keys');

const program = new Command('otp-guard')
  .description('Verifies what OTP Guard signed, without trusting the server.')
  .exitOverride()
  .showHelpAfterError('Run otp-guard --help to see how.')
  .addHelpText(
    'after',
    '\nExits with 0 if everything is valid, 1 if something isn’t, and 2 if the command\nline is wrong.',
  );

program
  .command('verify')
  .description(
    'Verifies a receipt, or a file of several: says who approved which commit, and what proves it.',
  )
  .argument('<file>', 'the receipt, or a file of several')
  .addOption(keysOption())
  .addOption(originOption())
  .option(
    '--checkpoint <file>',
    'a checkpoint of the log that you kept: the receipt has to be proved by exactly this one',
  )
  .option('--json', 'print the findings as JSON')
  .addHelpText(
    'after',
    '\nGive the key list with --keys or --origin. A key that comes with a receipt is\nnever trusted.',
  )
  .action(async (file: string, options: object) => {
    const { verify } = await import('./verify.ts');
    process.exitCode = (await verify(file, options)) ? VALID : NOT_VALID;
  });

program
  .command('audit')
  .description(
    'Verifies an exported log, and compares it with checkpoints that others kept. Names the first entry that differs.',
  )
  .argument('<export...>', 'the exported log; several files are its parts, in their order')
  .addOption(keysOption())
  .addOption(originOption())
  .option('--github <owner/repo>', 'read the checkpoints that GitHub shows on this repository’s check runs')
  .option(
    '--checkpoint <file...>',
    'checkpoints of the log that you kept, in e-mails, earlier exports or receipts',
  )
  .option('--json', 'print the findings as JSON')
  .addHelpText(
    'after',
    '\nWith --github, set the environment variable GITHUB_TOKEN to a token that can read\n' +
      'the checks and pull requests of a private repository. Set GITHUB_API_URL if your\n' +
      'GitHub’s API isn’t https://api.github.com.',
  )
  .action(async (files: string[], options: object) => {
    const { audit } = await import('./audit.ts');
    process.exitCode = (await audit(files, options, process.env)) ? VALID : NOT_VALID;
  });

program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? VALID : WRONG_USAGE;
    return;
  }
  const isUsage = error instanceof UsageError;
  process.stderr.write(`${(error as Error)?.message ?? 'It failed.'}\n`);
  process.exitCode = isUsage ? WRONG_USAGE : NOT_VALID;
});
