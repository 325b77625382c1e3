import { upgradeStore } from '../adapters/pocketbase/backups/write-backup.ts';
import { findInLog, findInRecords, idsOfLogin, readPerson } from '../adapters/pocketbase/people/erase.ts';
import { createRecordSeals } from '../adapters/pocketbase/records/record-seals.ts';
import { recordsOf } from '../adapters/pocketbase/records/records-of.ts';
import { withdrawErased } from '../approvals/withdraw/withdraw-erased.ts';
import type { NamedPerson } from '../audit/erase-person.ts';
import { StartError } from '../shared/app-error.ts';
import { createRecordMac } from '../shared/crypto.ts';
import { createSecretKeys } from '../shared/secret-key.ts';
import { assembleCommand } from './assemble-command.ts';
import { type Command, type Printing, runCommand } from './run-command.ts';

/** The traces of a person that no command of ours can erase, or that it must keep. */
const STAYS = [
  'GitHub keeps logins in commits, in pull requests, and in the summaries of check runs that it shows.',
  'While a pull request of theirs is open on GitHub, OTP Guard lists its author.',
  'Backups keep everything until you delete them.',
  'Receipts and exports that somebody downloaded keep what they hold.',
  'A policy that names this login keeps it until an owner changes the policy, and so do its versions in the log.',
  'Each log entry stays, without people: that an approval was given, for which commit, and when.',
  'If GitHub still lists this person as a member, the next sync stores their id and login again.',
];

/**
 * `otp-guard person forget <login or GitHub id> [--yes]`: erases a person from every record and from the log. Every
 * proof of the log still holds. Safe to run again.
 */
export const forgetPerson = (wanted: string, { yes = false, ...printing }: Printing & { yes?: boolean }) =>
  runCommand(
    'Forgetting the person',
    async (command) => {
      const { client, config } = command;
      await upgradeStore(client, config, config.github);
      const person = await readPerson(client, await githubIdOf(command, wanted));
      const seals = createRecordSeals(createRecordMac(createSecretKeys(config)), () => undefined);
      if (!yes) {
        const records = await findInRecords(client, seals, { person, erase: false });
        const log = await findInLog(client, person, { erase: false });
        const next = 'Nothing was erased. Run it again with --yes to erase this.';
        return { person: named(person), records, log, stays: STAYS, next };
      }
      const withdrawn = await withdrawOpen(command, person);
      const log = await findInLog(client, person, { erase: true });
      const records = await findInRecords(client, seals, { person, erase: true });
      // Entries were added while the person still had a session.
      const late = await findInLog(client, person, { erase: true });
      return { forgotten: named(person), withdrawn, records, log: log + late, stays: STAYS };
    },
    printing,
  );

const named = ({ githubId, logins }: NamedPerson) => ({ githubId, logins: [...logins] });

async function githubIdOf({ client }: Command, wanted: string): Promise<number> {
  if (/^[1-9]\d*$/.test(wanted)) return Number(wanted);
  const [githubId, ...others] = await idsOfLogin(client, wanted);
  if (githubId === undefined) throw new StartError(`No record names ${wanted}. Use the person's GitHub id.`);
  if (others.length > 0)
    throw new StartError(
      `Several people had the login ${wanted}: ${[githubId, ...others].join(', ')}. Use the person's GitHub id.`,
    );
  return githubId;
}

/** Pull requests that are open lose the person's approval, and GitHub shows that. */
async function withdrawOpen(command: Command, { githubId }: NamedPerson) {
  const { rooms } = await assembleCommand(command);
  const approvals = recordsOf(command.client, 'approvals');
  const found = await approvals.all({ user_id: githubId, withdrawn: '' }, { fields: 'org_id,head' });
  const heads = new Map(found.map(({ org_id: orgId, head }) => [`${orgId}:${head}`, { orgId, head }]));
  return withdrawErased(rooms.approvals, { githubId, heads: [...heads.values()] });
}
