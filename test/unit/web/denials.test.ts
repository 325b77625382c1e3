import { expect, test } from '@jest/globals';
import type { ApprovalParamsAnswer } from '../../../src/contract/approvals.ts';
import { aDenial, anAnswer, statement, target } from './approval-fixture.ts';
import { dashboard, fireEvent, json, type Network, screen, waitFor, within } from './dashboard.ts';

const open = dashboard();
const PARAMS = 'POST /github-check-webauthn-params';
const LIVE = {
  'GET /repos/octo-org/hello/pulls/7': json({ head: { sha: statement.head }, state: 'open' }),
};

/** Opens the approval page. `answers` are those about the pull request, in their order; the last one stays. */
async function show(answers: Partial<ApprovalParamsAnswer>[], network: Network = {}, query = {}) {
  const all = await Promise.all(answers.map((change) => anAnswer(change)));
  let at = -1;
  const params = (body: unknown) => {
    // The rest of the files belongs to the answer before.
    if (!(body as { files?: string }).files) at = Math.min(at + 1, all.length - 1);
    return Response.json(all[at]);
  };
  return open(`/collect-passkey?${new URLSearchParams({ ...target, repoID: '1296269', ...query })}`, {
    network: { [PARAMS]: params, ...network },
  });
}

const banner = async (text: string) =>
  (await screen.findByText(text)).closest<HTMLElement>('[role="status"]') as HTMLElement;

test('a denied commit says who denied it and why, as plain text, and can still be approved', async () => {
  await show([{ denials: [aDenial] }]);
  const notice = await banner('mona denied this commit.');
  expect(within(notice).getByText('<b>drops</b> a table').tagName).toBe('BDI');
  within(notice).getByText(
    /^It can't pass until mona withdraws the denial, or until there is a new commit\. If/,
  );
  screen.getByRole('button', { name: 'Approve with passkey' });
});

test('a denial is on the page when the person comes back, and gone once it ended', async () => {
  const denied = { denials: [aDenial], needs: 'mona denied this commit' };
  await show([{}, denied, {}], LIVE);
  const onReturn = (check: () => void) =>
    waitFor(() => {
      window.dispatchEvent(new window.Event('focus'));
      check();
    });
  await screen.findByRole('button', { name: 'Approve with passkey' });
  await onReturn(() => screen.getByText('mona denied this commit.'));
  await onReturn(() => expect(screen.queryByText('mona denied this commit.')).toBeNull());
});

test('a person can withdraw their own denial', async () => {
  const own = { ...aDenial, id: 'own', login: 'octocat', isYours: true };
  const withdraw = json({ reported: false });
  await show([{ denials: [own, aDenial] }, {}], { 'POST /github-withdraw-approval': withdraw });
  await banner('You denied this commit.');
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
  fireEvent.click(await screen.findByRole('button', { name: 'Withdraw denial' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Withdraw my denial' }));
  await screen.findByText(/^Your denial is withdrawn\. GitHub may still show the check as denied/);
  expect(screen.queryByText('You denied this commit.')).toBeNull();
  screen.getByText('mona denied this commit.');
  fireEvent.click(screen.getByRole('button', { name: 'Look at it again' }));
  await screen.findByRole('button', { name: 'Approve with passkey' });
});
