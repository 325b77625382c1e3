import { useState } from 'react';
import type { Policy } from '../../../../../src/contract/policy.ts';
import { agentsText, assuranceText, enrolmentText } from '../../../../../src/contract/policy-words.ts';
import { Card } from '../../../components/card.tsx';
import { Button, InternalLink } from '../../../components/controls.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Skeleton } from '../../../components/text.tsx';
import { useAnswer } from '../../../lib/react/queries.ts';
import { useUser } from '../../../lib/react/use-client.ts';
import { useStepFocus } from '../../../lib/react/use-step-focus.ts';
import { useTabState } from '../../../lib/react/use-tab-state.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { organizationPage } from '../organization-page.tsx';
import { Section } from '../section.tsx';
import { readDraft } from './draft.ts';
import styles from './policy.module.css';
import { PolicyEditor } from './policy-editor.tsx';
import { PolicyFiles } from './policy-files.tsx';
import { DEFAULT_TEXT } from './policy-texts.ts';
import { ApproversLine, RuleWords } from './policy-words.tsx';
import { RecipeList } from './recipe-list.tsx';
import { Meetable, RuleMatrix, useRuleApprovers } from './rule-matrix.tsx';
import { TryIt } from './try-it.tsx';

const TITLE = 'Policy';

/** `/org/policy`: who counts in an organization. Members read it, owners change it. */
export const PolicyPage = organizationPage(TITLE, LoadedPolicy);

function LoadedPolicy({ organization }: { organization: Organization }) {
  const { orgId, name } = organization;
  const body = { org: name, orgID: orgId };
  const { loaded, change, refresh, reload } = useAnswer('/organization-policy', body);
  return (
    <Card title={TITLE} wide busy={loaded.status === 'awaiting'} banner={loadFailure(loaded, reload)}>
      <p>
        Who has to approve pull requests and deployments of{' '}
        <InternalLink to="/org">
          <bdi>{name}</bdi>
        </InternalLink>
        , and with what.
      </p>
      {loaded.status === 'awaiting' && (
        <p>
          <Skeleton like="A placeholder about as long as the text that will appear here in a moment, on two lines." />
        </p>
      )}
      {loaded.status === 'ok' && (
        <ReadOrEdit
          organization={organization}
          current={loaded.value}
          onSaved={(policy) => change(() => policy)}
          // Another owner's change must not replace the page by a placeholder: the editor keeps its state.
          onStale={() => void refresh().then(({ isError }) => isError && reload())}
        />
      )}
    </Card>
  );
}

type Props = {
  organization: Organization;
  current: Policy;
  onSaved: (policy: Policy) => void;
  onStale: () => void;
};

function ReadOrEdit({ organization, current, onSaved, onStale }: Props) {
  const { orgId, name, role } = organization;
  const [draft, setDraft] = useTabState(`policy:${useUser().id}:${orgId}`, readDraft);
  const [isSaved, setIsSaved] = useState(false);
  const saved = (policy: Policy) => {
    setDraft(null);
    setIsSaved(true);
    onSaved(policy);
  };
  const hasOwnAgents = Object.values(current.agents).flat().length > 0;
  const isEditing = draft !== null && role === 'admin';
  const step = useStepFocus<HTMLDivElement>(isEditing ? 'edit' : 'read');
  const begin = (policy = current) => {
    setIsSaved(false);
    setDraft({ base: current, policy });
  };
  if (isEditing) {
    return (
      <div ref={step} className={`stack ${styles.step}`} tabIndex={-1}>
        <PolicyEditor
          organization={organization}
          current={current}
          draft={draft}
          onChange={setDraft}
          onSaved={saved}
          onStale={onStale}
        />
      </div>
    );
  }
  return (
    <div ref={step} className={`stack ${styles.step}`} tabIndex={-1}>
      {role === 'admin' && <Button onClick={() => begin()}>Change policy</Button>}
      <div role="status">
        {isSaved && (
          <Notice variant="info">
            <p>Saved. Every open pull request is judged again now.</p>
          </Notice>
        )}
      </div>
      <Rules organization={organization} policy={current} />
      {role === 'admin' && (
        <RecipeList current={current} draft={{ base: current, policy: current }} onChange={begin} />
      )}
      <div className={`stack ${styles.columns}`}>
        <Section title="First authenticator">
          <p>{enrolmentText(current.enrolment)}</p>
        </Section>
        <Section title="Accepted authenticators">
          <p>{assuranceText(current.assurance)}</p>
        </Section>
        {hasOwnAgents && (
          <Section title="Agents">
            <p>Of your own: {agentsText(current.agents)}.</p>
          </Section>
        )}
        <TryIt organization={organization} current={current} />
        <PolicyFiles organization={name} policy={current} />
      </div>
    </div>
  );
}

/** Each rule as a card; for owners with the people who can meet it, and all of them as a matrix. */
function Rules({ organization, policy }: { organization: Organization; policy: Policy }) {
  const { rules } = policy;
  const approvers = useRuleApprovers(organization, policy);
  const { loaded } = approvers;
  const isOwner = organization.role === 'admin';
  return (
    <>
      <Section title="Rules">
        <p>
          {rules.length > 0
            ? DEFAULT_TEXT
            : 'Every pull request and every deployment needs 1 approval from any member.'}
        </p>
        {isOwner && rules.length > 0 && <Meetable loaded={loaded} />}
        {rules.length > 0 && (
          <ol className={`stack ${styles.cards}`}>
            {rules.map((rule, at) => (
              <li key={rule.name} className="stack gap-2">
                <RuleWords rule={rule} />
                {isOwner && loaded.status !== 'failed' && (
                  <ApproversLine
                    rule={rule}
                    approvers={(loaded.status === 'ok' && loaded.value.rules[at]) || null}
                  />
                )}
              </li>
            ))}
          </ol>
        )}
      </Section>
      {isOwner && rules.length > 0 && <RuleMatrix {...approvers} rules={rules} />}
    </>
  );
}
