import { type ChangeEvent, useState } from 'react';
import type { Policy } from '../../../../../src/contract/policy.ts';
import { ActionError } from '../../../components/action-error.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import { Field } from '../../../components/field.tsx';
import { Label } from '../../../components/text.tsx';
import { useClient } from '../../../lib/react/use-client.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { Section } from '../section.tsx';
import { asSent } from './draft.ts';

type Props = {
  organization: string;
  policy: Policy;
  /** Undefined for people who can't change it. */
  onImport?: (policy: Policy) => void;
};

const NOT_LOADED = "This part of the page didn't load. Check your connection and try again.";

/** The policy as a YAML file. The YAML library is loaded when it's needed. */
export function PolicyFiles({ organization, policy, onImport }: Props) {
  const { config } = useClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [imported, setImported] = useState('');
  const load = () => import('./policy-file.ts').catch(() => void setProblem(NOT_LOADED));

  const download = async () => {
    setProblem(null);
    const files = await load();
    if (!files) return;
    const parts = [files.writePolicyFile(asSent(policy), config.origin)];
    saveFile({ name: `${organization}-policy.yaml`, type: 'application/yaml', parts });
  };
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    setImported('');
    setProblem(null);
    const files = file && (await load());
    if (!files) return;
    const read = files.readPolicyFile(await file.text());
    // The same file can be chosen again after it was corrected.
    target.value = '';
    if (!read.policy) return setProblem(read.problem);
    onImport?.(read.policy);
    setImported(file.name);
  };

  return (
    <Section title="File">
      <ActionError text={problem} />
      <p>
        <SecondaryButton onClick={() => void download()}>Download as YAML</SecondaryButton>
      </p>
      {onImport && (
        <Field
          label="Import a file"
          hint="YAML or JSON. It replaces what you edit here, and counts once you save it."
          type="file"
          accept=".yaml,.yml,.json"
          onChange={(event) => void read(event)}
        />
      )}
      <p className="quiet" role="status">
        {imported && (
          <>
            <Label text={imported} inline /> is loaded. Review it, then save it.
          </>
        )}
      </p>
    </Section>
  );
}
