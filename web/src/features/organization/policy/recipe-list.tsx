import type { Policy } from '../../../../../src/contract/policy.ts';
import type { PolicyPreviewAnswer } from '../../../../../src/contract/policy-calls.ts';
import { SecondaryButton } from '../../../components/controls.tsx';
import { checkIcon, Icon } from '../../../components/icon.tsx';
import { Skeleton } from '../../../components/text.tsx';
import { useAnswer } from '../../../lib/react/queries.ts';
import { type Loaded, useClient } from '../../../lib/react/use-client.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { Section } from '../section.tsx';
import { asSent, type Draft } from './draft.ts';
import styles from './policy.module.css';
import { judgedText, verdictsText } from './policy-texts.ts';
import { RECIPES } from './recipes.ts';

type Props = {
  current: Policy;
  draft: Draft;
  onChange: (policy: Policy) => void;
  /** The effect of each recipe on the open pull requests. Reading it costs requests to GitHub. */
  preview?: Loaded<PolicyPreviewAnswer>;
};

/** Common changes as buttons. A recipe changes the draft alone. */
export function RecipeList({ current, draft, onChange, preview }: Props) {
  const { policy, base } = draft;
  return (
    <Section title="Recipes" busy={preview?.status === 'awaiting'}>
      <p className="quiet" role="status">
        {preview ? judgedText(preview) : 'Common changes. You see what each would do before you save it.'}
      </p>
      <ul className={`stack ${styles.recipes}`}>
        {RECIPES.map((recipe, at) => {
          const isUsed = recipe.add(policy) === policy;
          return (
            <li key={recipe.title} className="stack gap-1">
              <SecondaryButton
                aria-pressed={isUsed}
                onClick={() => onChange(isUsed ? recipe.remove(policy, base) : recipe.add(policy))}
              >
                {isUsed && <Icon path={checkIcon} />}
                {recipe.title}
              </SecondaryButton>
              <p>{recipe.text}</p>
              {recipe.add(current) === current ? (
                <p className="quiet">In force now.</p>
              ) : (
                preview && (
                  <p className="quiet">
                    <Verdicts preview={preview} at={at} />
                  </p>
                )
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** The effect of a recipe on the open pull requests. */
const Verdicts = ({ preview, at }: { preview: Loaded<PolicyPreviewAnswer>; at: number }) =>
  preview.status === 'awaiting' ? (
    <Skeleton like="4 pull requests that pass now would have to wait. None would start to pass." />
  ) : (
    verdictsText(preview, at)
  );

/** The preview of each recipe. */
export const useRecipePreview = (organization: Organization, current: Policy) =>
  usePreview(
    organization,
    RECIPES.map((recipe) => recipe.add(current)),
  );

/** Judges the open pull requests by these policies and by the one in force. */
export function usePreview({ orgId, name }: Organization, policies: Policy[]) {
  const { session } = useClient();
  return useAnswer('/github-preview-policies', {
    org: name,
    orgID: orgId,
    policies: policies.map(asSent),
    accessToken: session.accessToken(),
  }).loaded;
}
