import { AppError } from '../app-error.ts';
import { assemble } from '../assemble.ts';
import { confirmOwner } from '../authenticators/confirm-owner.ts';
import { systemClock } from '../clock.ts';
import { createGitHubApp } from '../github/app.ts';
import { upgradeStore } from '../pocketbase/backups/upgrade-store.ts';
import { StartError } from '../start-error.ts';
import { type Printing, runCommand } from './run-command.ts';

/**
 * `otp-guard confirm-owner <organization> <login> [--code <six digits>]`: shows the authenticators of an owner
 * that wait for a vouch, or confirms the one with these digits.
 */
export const confirmOwnerOf = (
  orgName: string,
  login: string,
  { code, ...printing }: Printing & { code?: string },
) =>
  runCommand(
    'The confirmation',
    async ({ config, log, client, limits }) => {
      await upgradeStore(client, config, config.github);
      const app = createGitHubApp(config.github, { log, limits });
      await app.probot.ready();
      const deps = assemble(config, { app, client, log, clock: systemClock });
      const org = await deps.organizations.byName(orgName);
      if (!org || org.installationId === 0)
        throw new StartError(`OTP Guard isn't installed for an organization named ${orgName}.`);
      const owner = await deps.memberships.byLogin(org.id, login);
      if (!owner) throw new StartError(`Nobody named ${login} of ${org.name} has signed in here.`);
      return confirmOwner(deps, { org, owner, code }).catch((error: unknown) => {
        throw error instanceof AppError ? new StartError(error.message) : error;
      });
    },
    printing,
  );
