import { confirmOwner } from '../authenticators/vouch/confirm-owner.ts';
import { AppError, StartError } from '../shared/app-error.ts';
import { assembleCommand } from './assemble-command.ts';
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
    async (command) => {
      const deps = (await assembleCommand(command)).rooms.authenticators;
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
