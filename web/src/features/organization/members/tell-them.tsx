import type { OrganizationMembersAnswer } from '../../../../../src/contract/organization.ts';
import { Button } from '../../../components/button.tsx';
import { organizationQuery } from '../../../lib/organizations.ts';
import { keepQuery } from '../../../lib/page-context.ts';
import { forFileName, saveFile } from '../../../lib/save-file.ts';
import { useClient } from '../../../lib/use-client.ts';
import { useCopy } from '../../../lib/use-copy.ts';
import type { Organization } from '../../../lib/user.ts';
import { ExportProgress } from '../exports/export-progress.tsx';
import { readPages } from '../exports/read-pages.ts';
import { useExport } from '../exports/use-export.ts';
import { membersAsCsv, messageToMembers } from './member-texts.ts';
import styles from './members.module.css';

type Props = { organization: Organization; sendsMail: boolean };

/** What an owner sends to members whom no e-mail reaches: a message, the link in it, and a list of these members. */
export function TellThem({ organization, sendsMail }: Props) {
  const { api, config } = useClient();
  const { state, run, cancel } = useExport();
  const url = config.origin + keepQuery('/register', '', organizationQuery(organization));
  const text = messageToMembers(organization.name, url);
  const message = useCopy(text);
  const link = useCopy(url);
  const save = () =>
    run(async (job) => {
      const logins: string[] = [];
      const body = { orgID: organization.orgId, state: 'missing' };
      const read = (after: string | undefined) =>
        api.post<OrganizationMembersAnswer>('/organization-members', { ...body, after });
      for await (const { members } of readPages(job, read))
        for (const { login, pending, hasAddress } of members)
          if (!pending && !(sendsMail && hasAddress)) logins.push(login);
      const name = forFileName(`otp-guard-${organization.name}-without-authenticator.csv`);
      saveFile({ name, type: 'text/csv', parts: membersAsCsv(logins, config.github) });
      return `Saved ${logins.length === 1 ? '1 member' : `${logins.length} members`}.`;
    });
  return (
    <div className={styles.tell}>
      <blockquote>{text}</blockquote>
      <div className={styles.actions}>
        <Button look="secondary" onClick={message.copy}>
          Copy message
        </Button>
        <Button look="secondary" onClick={link.copy}>
          Copy link
        </Button>
        <Button look="secondary" busy={state.status === 'running'} onClick={save}>
          Save their names as CSV
        </Button>
        <p role="status">{message.message || link.message}</p>
        <ExportProgress state={state} onCancel={cancel} />
      </div>
    </div>
  );
}
