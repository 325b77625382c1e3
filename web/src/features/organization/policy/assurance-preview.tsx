import { useState } from 'react';
import type { AssurancePreviewAnswer } from '../../../../../src/contract/assurance-preview.ts';
import type { Policy } from '../../../../../src/contract/policy.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { sentenceOf } from '../../../lib/api-client.ts';
import { useClient } from '../../../lib/use-client.ts';
import type { Organization } from '../../../lib/user.ts';
import styles from './policy.module.css';
import { previewText } from './policy-texts.ts';

type Props = { organization: Organization; assurance: Policy['assurance'] };

/** How many members would be left without an authenticator that counts. An answer disappears when the choice changes. */
export function AssurancePreview({ organization: { orgId, name }, assurance }: Props) {
  const { api, session } = useClient();
  const [shown, setShown] = useState<{ of: string; text?: string; error?: string } | null>(null);
  const [pending, setPending] = useState(false);
  const chosen = JSON.stringify(assurance);
  const current = shown?.of === chosen ? shown : null;

  const ask = async () => {
    setPending(true);
    const body = { org: name, orgID: orgId, assurance, accessToken: session.accessToken() };
    try {
      const answer = await api.post<AssurancePreviewAnswer>('/github-preview-assurance', body);
      setShown({ of: chosen, text: previewText(answer) });
    } catch (cause) {
      setShown({ of: chosen, error: sentenceOf(cause) });
    }
    setPending(false);
  };
  return (
    <>
      {current?.error && <Banner text={current.error} />}
      <p>
        <Button look="secondary" busy={pending} onClick={() => void ask()}>
          {pending ? 'Looking' : 'Who would be left without one?'}
        </Button>
      </p>
      <p className={styles.quiet} role="status">
        {current?.text}
      </p>
    </>
  );
}
