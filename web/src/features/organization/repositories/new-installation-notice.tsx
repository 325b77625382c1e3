import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useClient, useSessionState } from '../../../lib/use-client.ts';

/** Shown right after the App was installed: GitHub takes a moment to notify us and to list the repositories. */
export function NewInstallationNotice({ onRefresh }: { onRefresh: () => void }) {
  const { session } = useClient();
  const state = useSessionState();
  const busy = state.status === 'signed-in' && state.fresh === 'pending';
  const refresh = () => void session.refresh().then(onRefresh);
  return (
    <Notice look="info">
      <p>Thanks for connecting to GitHub! Please refresh in a few minutes to see your repositories</p>
      <Button look="secondary" busy={busy} onClick={refresh}>
        Refresh
      </Button>
    </Notice>
  );
}
