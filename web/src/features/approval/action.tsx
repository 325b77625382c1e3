import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { actionLink, Button } from '../../components/button.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { pullAddress } from '../../lib/github.ts';
import { collectPath } from '../../lib/page-context.ts';
import { useClient, usePageContext } from '../../lib/use-client.ts';
import type { Approval } from './use-approval.ts';

type Props = { approval: Approval; onReload: () => void; children: ReactNode };

/** The one thing to do next, always in the same place: to approve, unless something else comes first. */
export function Action({ approval: { request, problem }, onReload, children }: Props) {
  const { config } = useClient();
  const { pathname } = useLocation();
  const context = usePageContext();
  const next = problem?.next ?? { kind: 'approve' };
  if (next.kind === 'register') {
    return (
      <KeptLink className={actionLink} to="/register" query={{ redirectURL: collectPath(context) }}>
        Register an authenticator
      </KeptLink>
    );
  }
  if (next.kind === 'new-head') {
    return (
      <KeptLink className={actionLink} to={pathname} query={{ head: next.head, headURL: null }}>
        Look at the new commit
      </KeptLink>
    );
  }
  if (next.kind === 'leave') {
    return (
      <GithubLink className={actionLink} href={request?.pull.url ?? pullAddress(config, context)}>
        Back to the pull request
      </GithubLink>
    );
  }
  if (next.kind === 'reload') return <Button onClick={onReload}>Try again</Button>;
  return children;
}
