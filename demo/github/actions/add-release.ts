import { APP } from '../credentials.ts';
import type { EmulatorClient } from '../emulator-client.ts';
import { readRepository } from '../repositories.ts';
import { SEED } from '../seed.ts';
import type { Actions } from './actions.ts';
import { RELEASE_FILE, RELEASE_PATH } from './workflow-file.ts';

/** The environment of the release's jobs. */
const ENVIRONMENT = 'release';

/** Adds the workflow that releases `hello`, and the environment in which it publishes. */
export async function addRelease(
  { emulator, actions }: { emulator: EmulatorClient; actions: Actions },
  { isGating }: { isGating: boolean },
): Promise<void> {
  const repo = await readRepository(emulator, { owner: SEED.org, repo: SEED.repo });
  if (!repo) return;
  const body = {
    // The App was installed later: the tip of `main` has no suite.
    message: 'Add the release workflow\n\n\nskip-checks: true',
    content: Buffer.from(RELEASE_FILE).toString('base64'),
    branch: repo.default_branch,
  };
  const path = `/repos/${repo.full_name}/contents/${RELEASE_PATH}`;
  const answer = await emulator.send({ method: 'PUT', path, body });
  if (answer.status !== 201) throw new Error(`The local GitHub can't add a workflow: ${answer.body}`);
  const environment = actions.environments.findOrCreate(repo, ENVIRONMENT);
  if (isGating) actions.environments.addRule(environment, APP.id);
}
