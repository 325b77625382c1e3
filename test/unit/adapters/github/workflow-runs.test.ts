import { expect, it } from '@jest/globals';
import { createWorkflowRuns } from '../../../../src/adapters/github/workflow-runs.ts';
import { REPO } from '../../../support/fakes.ts';
import { appAt } from './app-at.ts';

it('sends a review once: by the time of a second one, another attempt can wait', async () => {
  const sent: string[] = [];
  const app = appAt(async (url) => {
    sent.push(new URL(url).pathname);
    return new Response(null, { status: sent.length === 1 ? 502 : 204 });
  });
  const approval = { run: 7, environment: 'release', comment: 'Approved', state: 'approved' } as const;
  await expect(createWorkflowRuns(app, 1).review(REPO, approval)).rejects.toThrow(
    expect.objectContaining({ code: 'githubUnavailable' }),
  );
  expect(sent).toEqual(['/repos/octo-org/hello/actions/runs/7/deployment_protection_rule']);
});
