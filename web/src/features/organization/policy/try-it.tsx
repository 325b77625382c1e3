import { type FormEvent, useState } from 'react';
import type { Policy } from '../../../../../src/contract/policy.ts';
import type { PolicyTrialAnswer } from '../../../../../src/contract/policy-calls.ts';
import { ActionError } from '../../../components/action-error.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import { NameField, SelectField } from '../../../components/field.tsx';
import { Label } from '../../../components/text.tsx';
import { useAction } from '../../../lib/react/use-action.ts';
import { useClient } from '../../../lib/react/use-client.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { useOrganizationAnswer } from '../list/use-list.ts';
import { Section } from '../section.tsx';
import { StatusRow } from '../status-row.tsx';
import { asSent } from './draft.ts';
import styles from './policy.module.css';

type Props = {
  organization: Organization;
  current: Policy;
  /** The edited policy; undefined if nobody edits it. */
  edited?: Policy;
};

/** Shows what today's policy and the edited one say about an open pull request. Changes nothing. */
export function TryIt(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section title="Try it">
      <p className="quiet">
        See what {props.edited ? 'the policy in force and the edited one say' : 'the policy says'} about an
        open pull request. This changes nothing.
      </p>
      {isOpen ? (
        <TrialForm {...props} />
      ) : (
        <p>
          <SecondaryButton onClick={() => setIsOpen(true)}>Choose a pull request</SecondaryButton>
        </p>
      )}
    </Section>
  );
}

type Outcome = { pull: PullName; today: PolicyTrialAnswer; edited: PolicyTrialAnswer | null };

const NO_PULL =
  'Enter the address of a pull request on GitHub, or its repository and number, such as hello#7.';

function TrialForm({ organization, current, edited }: Props) {
  const { orgId: orgID, name: org } = organization;
  const { api, session } = useClient();
  // Only owners get to see them.
  const waiting = useOrganizationAnswer(orgID)?.waiting?.pulls ?? [];
  const [chosen, setChosen] = useState('');
  const [typed, setTyped] = useState('');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { pending, error, setError, run } = useAction();
  const attempt = async () => {
    const pull = parsePull(chosen || typed);
    setError(pull ? null : NO_PULL);
    setOutcome(null);
    if (!pull) return;
    const judge = (policy: Policy) => {
      const body = { org, orgID, policy: asSent(policy), ...pull, accessToken: session.accessToken() };
      return api.post('/github-try-policy', body);
    };
    await run(async () => {
      const [today, changed] = await Promise.all([judge(current), edited ? judge(edited) : null]);
      setOutcome({ pull, today, edited: changed });
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) void attempt();
  };
  return (
    <form className={`stack ${styles.fields}`} noValidate onSubmit={submit}>
      {waiting.length > 0 && (
        <SelectField
          label="Waiting pull request"
          value={chosen}
          options={[
            ['', 'Another one'],
            ...waiting.map(({ repo, pr, title }) => [`${repo}#${pr}`, `${repo} #${pr} ${title}`] as const),
          ]}
          onChoose={setChosen}
        />
      )}
      {!chosen && (
        <NameField
          label="Pull request"
          hint="Its address on GitHub, or such as hello#7."
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <ActionError text={error} />
      <p>
        <SecondaryButton type="submit" busy={pending}>
          {pending ? 'Trying' : 'Try it'}
        </SecondaryButton>
      </p>
      <div className={`stack ${styles.outcomes}`} role="status">
        {outcome && <TrialOutcome title="Today" pull={outcome.pull} answer={outcome.today} />}
        {outcome?.edited && <TrialOutcome title="Edited" pull={outcome.pull} answer={outcome.edited} />}
      </div>
    </form>
  );
}

type TrialOutcomeProps = { title: string; pull: PullName; answer: PolicyTrialAnswer };

/** Shows what one policy says about a pull request. */
const TrialOutcome = ({
  title,
  pull: { repo, pr },
  answer: { passed, rules, agents },
}: TrialOutcomeProps) => (
  <div className={`stack ${styles.fields}`}>
    <h3>{title}</h3>
    <StatusRow status={passed ? 'ok' : 'failing'}>
      <p>
        <bdi>
          {repo} #{pr}
        </bdi>{' '}
        {passed ? 'passes.' : 'waits.'}
      </p>
    </StatusRow>
    {agents && (
      <p>
        <Label text={`${agents}.`} inline />
      </p>
    )}
    <ul>
      {rules.map(({ name, enforced, met, missing }) => (
        <li key={name} className={`stack gap-2 ${styles.rule}`}>
          <p>
            <Label text={name || 'Every pull request'} inline />
            {met && ': met.'}
            {!enforced && <span className={styles.mode}>Reported only</span>}
          </p>
          {!met && (
            <p>
              <Label text={missing} inline />
            </p>
          )}
        </li>
      ))}
    </ul>
  </div>
);

/** A pull request of the organization. */
type PullName = { repo: string; pr: number };

/** Reads `hello#7`, `octo-org/hello#7`, or the address of a pull request on GitHub; null if it's none of them. */
export function parsePull(text: string): PullName | null {
  const [, repo, number] =
    /(?:^|\/)([A-Za-z0-9._-]{1,100})(?:\s*#\s*|\/pull\/)([1-9][0-9]{0,9})(?:[/?#].*)?$/.exec(text.trim()) ??
    [];
  return repo && number ? { repo, pr: Number(number) } : null;
}
