#!/usr/bin/env node
import { Command, CommanderError, Option } from 'commander';
import type { Printing } from './cli/run-command.ts';
import { UsageError } from './cli/usage-error.ts';
import { COMMIT, VERSION } from './shared/version.ts';

// `otp-guard`: the whole program. Each command loads its own code when it runs, so that `verify` and `audit`, which
// anyone can run, need no settings and load nothing of the server.

const [DONE, FAILED, WRONG_USAGE] = [0, 1, 2];

const jsonOption = () => new Option('--json', 'print the result as JSON');
const keysOption = () =>
  new Option('--keys <file>', 'the server’s published key list, saved from /.well-known/otp-guard.json');
const originOption = () =>
  new Option('--origin <url>', 'the server’s address, to fetch its key list from').conflicts('keys');

const examples = (...lines: string[]) =>
  `\n\nExamples:\n${lines.map((line) => `  otp-guard ${line}`).join('\n')}`;

const program = new Command('otp-guard')
  .description(
    'A required check on every pull request that turns green only when a person has\nproved that they approve exactly this commit. Without a command, it starts.',
  )
  .version(COMMIT ? `${VERSION} (commit ${COMMIT})` : VERSION)
  .exitOverride()
  // With their arguments, the names leave no room to wrap what stands beside them.
  .configureHelp({ subcommandTerm: (command) => command.name() })
  .showHelpAfterError('Run otp-guard --help to see how.')
  .addHelpText(
    'after',
    '\nSettings come from the environment, then from .env in the working directory,\nthen from .env in DATA_DIR. Exits with 0 if it worked or everything is valid, 1\nif not, and 2 if the command line is wrong, this folder has no OTP Guard, or\nwhat is needed to verify is missing.',
  );

program.commandsGroup('Run it:');

program
  .command('start')
  .description('Start OTP Guard. Without a GitHub App, this opens a page that registers one.')
  .action(async () => (await import('./cli/start.ts')).start());

program
  .command('setup')
  .description('Start OTP Guard, and print the page to open next: first the one that registers a GitHub App.')
  .action(async () => (await import('./cli/start.ts')).start({ isSetUp: true }));

program
  .command('doctor')
  .description(
    'Check settings, address, GitHub, mail, disk and backups, and say what to do. Changes nothing.',
  )
  .option('--mail <address>', 'also send a test message to this address')
  .addOption(jsonOption())
  .action(async (options: Printing & { mail?: string }) => (await import('./cli/doctor.ts')).doctor(options));

program
  .command('sweep')
  .description('Reconcile every open pull request now, and say what was repaired.')
  .addOption(jsonOption())
  .action(async (options: Printing) => (await import('./cli/sweep.ts')).sweep(options));

program.commandsGroup('Back up and restore:');

program
  .command('backup')
  .description('Write an encrypted copy of the record store, even while OTP Guard runs.')
  .argument('[file]', 'where to; by default a new file in ./backups')
  .addOption(jsonOption())
  .action(async (file: string | undefined, options: Printing) =>
    (await import('./cli/backup.ts')).backup(file, options),
  );

program
  .command('restore')
  .description('Replace the record store with a backup, even while OTP Guard runs. Signs everyone out.')
  .argument('<file>', 'the backup')
  .option('--check', 'a drill: opens the backup in a temporary store, and changes nothing')
  .addOption(jsonOption())
  .action(async (file: string, { check, ...options }: Printing & { check?: boolean }) =>
    check
      ? (await import('./cli/try-restore.ts')).tryRestore(file, options)
      : (await import('./cli/restore.ts')).restore(file, options),
  );

program.commandsGroup('Keys and people:');

program
  .command('rotate-key')
  .description('Seal everything again under a new SECRET_KEY. Safe to run again.')
  .addOption(jsonOption())
  .action(async (options: Printing) => (await import('./cli/rotate-key.ts')).rotateKey(options));

program
  .command('rotate-signing-key')
  .description('Replace the key that signs checkpoints and receipts.')
  .addOption(jsonOption())
  .action(async (options: Printing) =>
    (await import('./cli/rotate-signing-key.ts')).rotateSigningKey(options),
  );

program
  .command('confirm-owner')
  .description('Show the authenticators of an owner that wait for a vouch, or confirm one.')
  .argument('<organization>')
  .argument('<login>', 'the owner')
  .option('--code <digits>', 'confirm the one with these six digits, which its page shows')
  .addOption(jsonOption())
  .action(async (organization: string, login: string, options: Printing & { code?: string }) =>
    (await import('./cli/confirm-owner.ts')).confirmOwnerOf(organization, login, options),
  );

program
  .command('person')
  .description('Erase a person from every record.')
  .command('forget')
  .description('Erase a person from every record and from the log. Every proof of the log still holds.')
  .argument('<person>', 'their login or GitHub id')
  .option('--yes', 'erase it; without this, it only says what would be erased')
  .addOption(jsonOption())
  .action(async (person: string, options: Printing & { yes?: boolean }) =>
    (await import('./cli/forget-person.ts')).forgetPerson(person, options),
  );

program.commandsGroup('For agents, and people who wait for them:');

const ofApp = (command: Command) =>
  command
    .option('--app-id <number>', 'the number of OTP Guard’s GitHub App')
    .option('--origin <url>', 'the server’s address, to learn that number from once');
const readsGitHub =
  '\nReads GitHub, and not the server, with the environment variable GITHUB_TOKEN or\n' +
  'else the token of gh auth token. Set GITHUB_SERVER_URL to the address of your\n' +
  'GitHub if it isn’t github.com. Only a person can approve, in a browser.\n';

ofApp(program.command('status'))
  .description('Say whether a pull request’s check passed, what it waits for, and where a person approves.')
  .argument('<owner/repo#number>', 'the pull request')
  .option('--wait <time>', 'wait until it passed or was denied, at most this long: 90s, 30m, 2h')
  .addOption(jsonOption())
  .addHelpText(
    'after',
    `${readsGitHub}Exits with 0 if it passed, 3 if it waits, 4 if it was denied, 6 if the head has\n` +
      'no check run of that App, and 2 if the command line is wrong or GitHub can’t be\nread.' +
      examples(
        'status octo-org/hello#7 --origin https://guard.example.org',
        'status octo-org/hello#7 --wait 30m',
      ),
  )
  .action(async (pull: string, options: Printing & { wait?: string; appId?: string; origin?: string }) => {
    const { status } = await import('./cli/status.ts');
    process.exitCode = await status(pull, options, process.env);
  });

ofApp(program.command('mcp'))
  .description('Answer an agent’s questions about that, over the Model Context Protocol on stdin and stdout.')
  .addHelpText(
    'after',
    `${readsGitHub}An agent’s settings name this command with its arguments.${examples('mcp --origin https://guard.example.org')}`,
  )
  .action(async (options: { appId?: string; origin?: string }) =>
    (await import('./cli/mcp.ts')).mcp(options, process.env),
  );

program.commandsGroup('Verify, without trusting the server:');

program
  .command('ways-around')
  .description('List who and what can merge or release without an approval, and the changes that close it.')
  .argument('<organization>')
  .option('--app-id <number>', 'the number of OTP Guard’s GitHub App')
  .option('--origin <url>', 'the server’s address, to learn that number from')
  .addOption(jsonOption())
  .addHelpText(
    'after',
    '\nReads GitHub with an owner’s token: the environment variable GITHUB_TOKEN, or\n' +
      'else the one of gh auth token. It changes nothing there. Set GITHUB_SERVER_URL\n' +
      'to the address of your GitHub if it isn’t github.com. Exits with 0 if there is\n' +
      'no way, 1 if there is one, and 2 if there is none in what it could read.\n' +
      examples('ways-around octo-org --origin https://guard.example.org'),
  )
  .action(async (organization: string, options: Printing & { appId?: string; origin?: string }) => {
    const { waysAround } = await import('./cli/ways-around.ts');
    process.exitCode = await waysAround(organization, options, process.env);
  });

program
  .command('verify')
  .description(
    'Verify a receipt, or a file of several: who approved or denied which commit or deployment, and what proves it.',
  )
  .argument('<file>', 'the receipt, or a file of several')
  .addOption(keysOption())
  .addOption(originOption())
  .option(
    '--checkpoint <file>',
    'a checkpoint of the log that you kept: the receipt has to be proved by exactly this one',
  )
  .addOption(jsonOption())
  .addHelpText(
    'after',
    '\nGive the key list with --keys or --origin. A key that comes with a receipt is\nnever trusted. ' +
      'Exits with 0 if it’s valid, 1 if it isn’t, 2 if what was\ngiven isn’t enough to tell, and 4 if it’s valid and of a denial or\na rejected deployment.' +
      examples(
        'verify --origin https://guard.example.org receipt.json',
        'verify --keys keys.json --checkpoint checkpoint.txt receipt.json',
      ),
  )
  .action(async (file: string, options: object) => {
    const { verify } = await import('./cli/verify.ts');
    process.exitCode = await verify(file, options);
  });

program
  .command('audit')
  .description(
    'Verify an exported log, and compare it with checkpoints that others kept. Names the first entry that differs.',
  )
  .argument('<export...>', 'the exported log; several files are its parts, in their order')
  .addOption(keysOption())
  .addOption(originOption())
  .option('--github <owner/repo>', 'read the checkpoints that GitHub shows on this repository’s check runs')
  .option(
    '--checkpoint <file>',
    'checkpoints of the log that you kept, in an e-mail, an earlier export or a receipt; you can give several',
    (file: string, others: string[] = []) => [...others, file],
  )
  .addOption(jsonOption())
  .addHelpText(
    'after',
    '\nWith --github, set the environment variable GITHUB_TOKEN to a token that can\n' +
      'read the checks and pull requests of a private repository. Set GITHUB_SERVER_URL\n' +
      'to the address of your GitHub if it isn’t github.com. Exits with 0 if the log is\n' +
      'as it was, 1 if it isn’t, and 2 if what was given isn’t enough to tell.' +
      examples(
        'audit --keys keys.json --github octo-org/hello export.json',
        'audit --keys keys.json --checkpoint checkpoint.txt export.json',
      ),
  )
  .action(async (files: string[], options: object) => {
    const { audit } = await import('./cli/audit.ts');
    process.exitCode = (await audit(files, options, process.env)) ? DONE : FAILED;
  });

// `otp-guard audit … | head` closes our output early, which is no reason to end in the middle.
for (const output of [process.stdout, process.stderr])
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') process.exitCode = FAILED;
  });

// Node doesn't wait for a promise: a command that only waits would end in the middle, with 0.
const untilDone = setInterval(() => undefined, 60_000);
const args = process.argv.slice(2);
program
  .parseAsync(args.length === 0 ? ['start'] : args, { from: 'user' })
  .catch((error: unknown) => {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? DONE : WRONG_USAGE;
      return;
    }
    process.stderr.write(`${(error as Error)?.message ?? 'It failed.'}\n`);
    process.exitCode = error instanceof UsageError ? WRONG_USAGE : FAILED;
  })
  .finally(() => clearInterval(untilDone));
