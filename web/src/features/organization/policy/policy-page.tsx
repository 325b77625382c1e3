import { useState } from 'react';
import type { Policy } from '../../../../../src/contract/policy.ts';
import { assuranceText, enrolmentText } from '../../../../../src/contract/policy-words.ts';
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
import { RuleWords } from './policy-words.tsx';
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
        Who has to approve pull requests of{' '}
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
  const isEditing = draft !== null && role === 'admin';
  const step = useStepFocus<HTMLDivElement>(isEditing ? 'edit' : 'read');
  const begin = () => {
    setIsSaved(false);
    setDraft({ base: current, policy: current });
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
      <div role="status">
        {isSaved && (
          <Notice variant="info">
            <p>Saved. Every open pull request is judged again now.</p>
          </Notice>
        )}
      </div>
      <div className={`stack ${styles.columns}`}>
        <PolicyView policy={current} />
        <TryIt organization={organization} current={current} />
        <PolicyFiles organization={name} policy={current} />
      </div>
      {role === 'admin' && <Button onClick={begin}>Change policy</Button>}
    </div>
  );
}

/** A policy in words. */
const PolicyView = ({ policy: { enrolment, assurance, rules } }: { policy: Policy }) => (
  <>
    <Section title="Rules">
      {rules.length === 0 ? (
        <p>Every pull request needs 1 approval from a member.</p>
      ) : (
        <>
          <ol>
            {rules.map((rule) => (
              <li key={rule.name} className={`stack gap-2 ${styles.rule}`}>
                <RuleWords rule={rule} />
              </li>
            ))}
          </ol>
          <p className="quiet">{DEFAULT_TEXT}</p>
        </>
      )}
    </Section>
    <Section title="First authenticator">
      <p>{enrolmentText(enrolment)}</p>
    </Section>
    <Section title="What counts">
      <p>{assuranceText(assurance)}</p>
    </Section>
  </>
);
