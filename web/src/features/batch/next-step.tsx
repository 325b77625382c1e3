import { Link } from 'react-router-dom';
import { actionLink, Button } from '../../components/button.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import { keepQuery } from '../../lib/page-context.ts';
import { pullRequests } from './batch-texts.ts';
import type { Batch } from './use-batch.ts';

type Props = { batch: Batch; count: number; approve: () => void; reload: () => void };

/** The page's main action: the button that approves, unless a problem requires another step first. */
export function NextStep({ batch: { status, problem }, count, approve, reload }: Props) {
  switch (problem?.next) {
    case 'register':
      return (
        <InternalLink className={actionLink} to="/register" query={{ redirectURL: keepQuery('/', '') }}>
          Register an authenticator
        </InternalLink>
      );
    case 'inbox':
      return (
        <Link className={actionLink} to="/">
          Back to the inbox
        </Link>
      );
    case 'reload':
      return <Button onClick={reload}>Try again</Button>;
    default:
      return (
        <Button busy={status !== 'awaiting'} onClick={approve}>
          {status === 'pending' || status === 'signing'
            ? { pending: 'Approving', signing: 'Waiting for your passkey' }[status]
            : `Approve ${pullRequests(count)} with passkey`}
        </Button>
      );
  }
}
