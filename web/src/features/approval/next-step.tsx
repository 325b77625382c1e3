import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { ActionLink, actionLink, Button, GithubLink } from '../../components/controls.tsx';
import { pullAddress } from '../../lib/address/github.ts';
import { collectPath } from '../../lib/address/page-context.ts';
import { useClient, usePageContext } from '../../lib/react/use-client.ts';
import type { Approval } from './view-of.ts';

type Props = { approval: Approval; onReload: () => void; children: ReactNode };

/**
 * The page's main action: the control that approves (`children`), unless a problem requires another step first, or the
 * approval would count for nothing.
 */
export function NextStep({ approval: { request, problem }, onReload, children }: Props) {
  const { config } = useClient();
  const { pathname } = useLocation();
  const context = usePageContext();
  const next = problem?.next ?? { kind: request?.refusal ? 'back-to-pull' : 'approve' };
  switch (next.kind) {
    case 'register':
      return (
        <ActionLink to="/register" query={{ redirectURL: collectPath(context) }}>
          Register an authenticator
        </ActionLink>
      );
    case 'new-head':
      return (
        <ActionLink to={pathname} query={{ head: next.head, headURL: null }}>
          Look at the new commit
        </ActionLink>
      );
    case 'back-to-pull':
      return (
        <GithubLink className={actionLink} href={request?.pull.url ?? pullAddress(config, context)}>
          Back to the pull request
        </GithubLink>
      );
    case 'reload':
      return <Button onClick={onReload}>Try again</Button>;
    default:
      return children;
  }
}
