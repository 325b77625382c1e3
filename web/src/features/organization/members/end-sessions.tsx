import { useLayoutEffect, useRef, useState } from 'react';
import type { OrganizationMember } from '../../../../../src/contract/organization.ts';
import { GithubLink, SecondaryButton } from '../../../components/controls.tsx';
import { StepUp } from '../../../components/step-up.tsx';
import { useClient } from '../../../lib/react/use-client.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { useProvenAction } from '../../../lib/signing/use-proven-action.ts';

type Props = {
  member: OrganizationMember;
  organization: Pick<Organization, 'orgId' | 'name'>;
  onCancel: () => void;
};

/** Ends a member's OTP Guard sessions after the owner confirmed it, and says that the GitHub session continues. */
export function EndSessions({ member: { id, login }, organization: { orgId, name }, onCancel }: Props) {
  const { api, config, session } = useClient();
  const [isDone, setIsDone] = useState(false);
  const target = { memberID: id, orgID: String(orgId), org: name };
  const { pending, form } = useProvenAction({ type: 'end-sessions', ...target }, async ({ stepUp }) => {
    await api.post('/end-member-sessions', { ...target, stepUp, accessToken: session.accessToken() });
    setIsDone(true);
  });
  const panel = useRef<HTMLDivElement>(null);
  // The button that opened this is gone, and its focus with it.
  useLayoutEffect(() => panel.current?.focus(), []);
  const people = `${config.github}/orgs/${encodeURIComponent(name)}/people`;
  return (
    <div ref={panel} className="stack wide-column" tabIndex={-1} aria-busy={pending}>
      {isDone ? (
        <p role="status">{login} is signed out of OTP Guard on every device.</p>
      ) : (
        <StepUp {...form}>
          Before you sign {login} out of OTP Guard on every device, confirm that it's you.
        </StepUp>
      )}
      <p className="quiet">
        {login} stays signed in to GitHub, and can sign in here again. Ask them to{' '}
        <GithubLink href={`${config.github}/settings/sessions`}>end their sessions on GitHub</GithubLink>, or{' '}
        <GithubLink href={people}>remove them from the organization</GithubLink>.
      </p>
      <SecondaryButton onClick={onCancel}>{isDone ? 'Close' : 'Cancel'}</SecondaryButton>
    </div>
  );
}
