import { type ReactNode, useState } from 'react';
import type { MemberReminderAnswer, OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { ActionError } from '../../../components/action-error.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import { keepQuery } from '../../../lib/address/page-context.ts';
import { useAction } from '../../../lib/react/use-action.ts';
import { useClient } from '../../../lib/react/use-client.ts';
import { useCopy } from '../../../lib/react/use-copy.ts';
import { forFileName, saveFile } from '../../../lib/save-file.ts';
import { type Organization, organizationQuery } from '../../../lib/session/user.ts';
import { readPages } from '../download/read-pages.ts';
import { ExportProgress, useExport } from '../download/use-export.tsx';
import { membersAsCsv, messageToMembers, reachText, remindedText } from './member-texts.ts';
import styles from './members.module.css';

type Props = {
  organization: Organization;
  members: NonNullable<OrganizationAnswer['members']>;
  onSent: () => void;
};

/** Says whom an e-mail reaches before an owner sends it, and helps to tell the others. */
export function RemindAll({ organization, members, onSent }: Props) {
  const { reachable, unreachable, sendsMail } = members;
  const { busy, answer, error, remind } = useRemind(organization, { reachable, onSent });
  const others = sendsMail ? unreachable : reachable + unreachable;
  return (
    <div className={`stack gap-3 wide-column ${styles.remind}`}>
      <p>{reachText(members)}</p>
      <ActionError text={error} />
      {sendsMail && reachable > 0 && (
        <SecondaryButton busy={busy} onClick={() => void remind()}>
          {reachable === 1 ? 'Send 1 e-mail' : `Send ${reachable} e-mails`}
        </SecondaryButton>
      )}
      <p role="status">{answer && remindedText(answer)}</p>
      {others > 0 && <TellThem organization={organization} sendsMail={sendsMail} />}
    </div>
  );
}

/** Gives the owner what members need whom no e-mail reaches: a message, the link in it, and a list of these members. */
function TellThem({ organization, sendsMail }: { organization: Organization; sendsMail: boolean }) {
  const { api, config } = useClient();
  const { state, run, cancel } = useExport();
  const save = () =>
    run(async (job) => {
      const logins: string[] = [];
      const body = { orgID: organization.orgId, state: 'missing' } as const;
      const read = (after: string | undefined) => api.post('/organization-members', { ...body, after });
      for await (const { members } of readPages(job, read))
        for (const { login, pending, hasAddress } of members)
          if (!pending && !(sendsMail && hasAddress)) logins.push(login);
      const name = forFileName(`otp-guard-${organization.name}-without-authenticator.csv`);
      saveFile({ name, type: 'text/csv', parts: membersAsCsv(logins, config.github) });
      return `Saved ${logins.length === 1 ? '1 member' : `${logins.length} members`}.`;
    });
  return (
    <Message organization={organization}>
      <SecondaryButton busy={state.status === 'running'} onClick={save}>
        Export their names (CSV)
      </SecondaryButton>
      <ExportProgress state={state} onCancel={cancel} />
    </Message>
  );
}

/** A message for members without an authenticator, and the link in it, to copy. */
export function Message({
  organization,
  children,
}: {
  organization: Pick<Organization, 'name' | 'orgId' | 'installationId'>;
  children?: ReactNode;
}) {
  const { config } = useClient();
  const url = config.origin + keepQuery('/register', '', organizationQuery(organization));
  const text = messageToMembers(organization.name, url);
  const message = useCopy(text);
  const link = useCopy(url);
  return (
    <div className={`stack gap-3 wide-column ${styles.tell}`}>
      <blockquote>{text}</blockquote>
      <div className="buttons">
        <SecondaryButton onClick={message.copy}>Copy message</SecondaryButton>
        <SecondaryButton onClick={link.copy}>Copy link</SecondaryButton>
        {children}
        <p role="status">{message.message || link.message}</p>
      </div>
    </div>
  );
}

/**
 * Asks the server to remind one member (by GitHub's id), or everyone without an authenticator whom an e-mail reaches.
 * One call reminds only some of many, so the next one follows until nobody is left.
 */
export function useRemind(
  { orgId: orgID, name: org }: Pick<Organization, 'orgId' | 'name'>,
  { memberID, reachable = 1, onSent }: { memberID?: number; reachable?: number; onSent?: () => void },
) {
  const { api, session } = useClient();
  const { pending, error, run } = useAction();
  const [answer, setAnswer] = useState<MemberReminderAnswer | null>(null);

  const remind = () => {
    setAnswer(null);
    return run(async () => {
      const body = { org, orgID, memberID, accessToken: session.accessToken() };
      let sent = 0;
      let last: MemberReminderAnswer;
      do {
        last = await api.post('/remind-members', body);
        sent += last.sent;
      } while (last.sent > 0 && last.already === 0 && sent < reachable);
      // The last call also counts those who got an e-mail by a call before it.
      setAnswer({ ...last, sent, already: Math.min(last.already, reachable - sent) });
      onSent?.();
    });
  };
  return { busy: pending, answer, error, remind };
}
