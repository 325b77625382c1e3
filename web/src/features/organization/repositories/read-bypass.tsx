import { type FormEvent, useState } from 'react';
import type {
  BypassListsAnswer,
  CheckedRepository,
} from '../../../../../src/contract/organization-health.ts';
import { ActionError } from '../../../components/action-error.tsx';
import { Button, InternalLink, SecondaryButton } from '../../../components/controls.tsx';
import { AreaField } from '../../../components/field.tsx';
import { Label } from '../../../components/text.tsx';
import { useAction } from '../../../lib/react/use-action.ts';
import { useClient, useUser } from '../../../lib/react/use-client.ts';
import { useCopy } from '../../../lib/react/use-copy.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { aroundIn } from '../bypass-texts.ts';
import { Who } from '../who.tsx';
import styles from './repositories.module.css';

type Props = {
  organization: Organization;
  /** The repositories on the page, of which we don't know who may bypass the check. */
  repositories: CheckedRepository[];
  onTaken: () => void;
};

/**
 * Lets an owner read the bypass lists that GitHub doesn't show to the App, with a command of GitHub's `gh`, and hand in
 * what it prints.
 */
export function ReadBypass({ organization, repositories, onTaken }: Props) {
  const { api, config } = useClient();
  const [text, setText] = useState('');
  const { pending: busy, error, run } = useAction();
  const [taken, setTaken] = useState<BypassListsAnswer | null>(null);
  const command = commandFor(organization.name, repositories, new URL(config.github).host);
  const { message, copy } = useCopy(command);
  const send = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const { orgId: orgID, name: org } = organization;
      setTaken(await api.post('/bypass-lists', { org, orgID, text }));
      setText('');
      onTaken();
    });
  };
  return (
    <>
      {taken && <Taken answer={taken} />}
      {command && (
        <section className="stack gap-3" aria-labelledby="read">
          <h2 id="read">Read the bypass lists</h2>
          <p>
            GitHub shows a ruleset's bypass list only to people who can edit the ruleset, and OTP Guard never
            asks for that right. Run this where GitHub's command gh is signed in as an owner, and paste what
            it prints.
          </p>
          <code className={styles.command}>{command}</code>
          <div className="buttons muted">
            <SecondaryButton onClick={copy}>Copy command</SecondaryButton>
            <p role="status">{message}</p>
          </div>
          <form className="stack gap-3" onSubmit={send}>
            <AreaField
              label="What the command printed"
              hint="OTP Guard keeps the lists and that you handed them in, until a ruleset changes. It can't check them."
              isCode
              required
              rows={4}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
            <ActionError text={error} />
            <div className="buttons">
              <Button type="submit" busy={busy}>
                {busy ? 'Reading' : 'Hand in the lists'}
              </Button>
            </div>
          </form>
        </section>
      )}
    </>
  );
}

/** One line that works in any shell, and prints one line for each ruleset. */
function commandFor(owner: string, repositories: CheckedRepository[], host: string): string {
  const rulesets = new Map(
    repositories.flatMap(({ name, bypass }) => (bypass?.hidden ?? []).map((id) => [id, name] as const)),
  );
  const at = host === 'github.com' ? '' : `--hostname ${host} `;
  return [...rulesets]
    .map(
      ([id, name]) =>
        `gh api ${at}repos/${owner}/${name}/rulesets/${id} --jq '{id,updated_at,bypass_actors}|@json'`,
    )
    .join('; ');
}

/** What the lists say, and who read them. */
function Taken({ answer: { filled, repositories } }: { answer: BypassListsAnswer }) {
  const { username } = useUser();
  return (
    <div role="status" className={`stack gap-1 ${styles.taken}`}>
      {repositories.map((repository) => (
        <p key={repository.name}>
          <Label text={repository.name} inline />: <Outcome repository={repository} />
        </p>
      ))}
      {filled > repositories.length && (
        <p>{filled - repositories.length} more repositories follow in a moment.</p>
      )}
      <p className="quiet">
        {filled > 0
          ? `Read by ${username} just now; nothing was kept but the list.`
          : 'None of these lists is missing here. If a ruleset changed since, run the command again.'}
      </p>
      <p>
        <InternalLink className="target" to="/org" query={{ state: null }}>
          Back to the overview
        </InternalLink>
      </p>
    </div>
  );
}

function Outcome({ repository }: { repository: BypassListsAnswer['repositories'][number] }) {
  const { state } = repository.bypass ?? {};
  if (state === 'nobody') return <>nobody may bypass.</>;
  const around = aroundIn([repository]);
  if (around.length === 0) return <>not readable yet. A ruleset changed since, or another list is missing.</>;
  return (
    <>
      {around.map((one, at) => (
        <span key={`${one.type} ${one.name} ${one.mode}`}>
          {at > 0 && ' and '}
          <Who actor={one} />
        </span>
      ))}{' '}
      may bypass.
    </>
  );
}
