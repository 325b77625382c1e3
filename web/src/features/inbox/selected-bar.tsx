import { useLocation, useNavigate } from 'react-router-dom';
import type { InboxPull } from '../../../../src/contract/inbox.ts';
import { Button } from '../../components/controls.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import type { PageState } from '../../lib/address/page-state.ts';
import { safePath } from '../../lib/address/safe-url.ts';
import { useClient, useUser } from '../../lib/react/use-client.ts';
import { batchKey, choiceOf, MOST } from '../../lib/signing/batch-choice.ts';
import styles from './inbox.module.css';

const moreThanMost = (more: number) =>
  `At most ${MOST} at once, from the top of the list. The other ${more === 1 ? 'one stays' : `${more} stay`} here.`;

/** Approves the selected pull requests: one button for each organization, because a key belongs to one. */
export function SelectedBar({ selected }: { selected: InboxPull[] }) {
  const orgs = [...new Set(selected.map(({ org }) => org.id))];
  const groups = orgs.map((id) => selected.filter(({ org }) => org.id === id));
  return (
    <>
      <p role="status" className="visually-hidden">
        {selected.length > 0 && `${selected.length} selected`}
      </p>
      {groups.length > 0 && (
        <div className={styles.bar}>
          {groups.map((pulls) => (
            <ApproveButton key={pulls[0]?.org.id} pulls={pulls} named={groups.length > 1} />
          ))}
          {groups.some(({ length }) => length > MOST) && (
            <p>{moreThanMost(Math.max(...groups.map(({ length }) => length - MOST)))}</p>
          )}
        </div>
      )}
    </>
  );
}

/** Leads to the page of a batch, which shows each of them before the touch, or of the one chosen pull request. */
function ApproveButton({ pulls, named }: { pulls: InboxPull[]; named: boolean }) {
  const { tab, config } = useClient();
  const { id } = useUser();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [first] = pulls;
  if (!first) return null;
  const { org } = first;

  const open = () => {
    if (pulls.length === 1) return navigate(safePath(first.approval, config) ?? '/');
    tab.setItem(batchKey(id, org.id), JSON.stringify(choiceOf(org, pulls)));
    const path = keepQuery('/approve-batch', '', { owner: org.name, ownerID: String(org.id) });
    return navigate(path, { state: { inbox: search } satisfies PageState });
  };
  const count = Math.min(pulls.length, MOST);
  return (
    <Button onClick={() => void open()}>
      {count === 1 ? 'Approve this one' : `Approve ${count} together`}
      {named && ` in ${org.name}`}
    </Button>
  );
}
