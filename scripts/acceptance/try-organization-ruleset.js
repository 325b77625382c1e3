import { commitFile, completed, createBranch, createRun, poll, TRIED_CHECK, tipOf } from './scratch.js';

const PATIENCE_MS = 30_000;
const NO_OWNER =
  'GitHub makes no ruleset here. Use a repository of an organization with a paid plan, and a token of an owner with admin:org.';

/**
 * Whether an organization's ruleset that names the App by its id requires the check from it. GitHub's page lists only
 * Apps with `statuses: write` for these rulesets, so ours gets there with an imported file only. The ruleset covers one
 * new branch of the scratch repository.
 */
export async function tryOrganizationRuleset(scratch) {
  const { person, at, prefix, signal } = scratch;
  const id = 'organization-ruleset';
  const [ruled, other] = [`${prefix}-ruled`, `${prefix}-ready`];
  const tip = await tipOf(scratch);
  for (const name of [ruled, other]) await createBranch(scratch, name, tip);
  const commit = await commitFile(scratch, other, `Add ${other}`);
  const made = await createRuleset(scratch, ruled);
  if (made !== 'created')
    return [made === 'refused' ? { id, seen: 'GitHub refuses the file' } : { id, notTried: NO_OWNER }];
  const move = () =>
    person.rest.git.updateRef({ ...at, ref: `heads/${ruled}`, sha: commit }).then(
      () => true,
      ({ status }) => {
        signal.throwIfAborted();
        // 409 and 422 are a rule's refusals.
        if (![409, 422].includes(status)) throw new Error(`GitHub answered ${status} to a push.`);
        return false;
      },
    );
  if (await move()) return [{ id, seen: 'the rule is not enforced' }];
  await createRun(scratch, commit, completed('success'));
  const isMoved = await poll(scratch, PATIENCE_MS, async () => (await move()) || undefined);
  return [{ id, seen: isMoved ? 'only our check passes' : 'never passes' }];
}

/** Resolves to `created`, `refused` for GitHub's 422, or `unavailable`. */
async function createRuleset({ person, at: { owner: org }, id, appId, undo, signal }, branch) {
  const remove = async () => {
    const { data } = await person.request('GET /orgs/{org}/rulesets', { org, per_page: 100 });
    for (const { id: ruleset_id, name } of data)
      if (name === branch)
        await person.request('DELETE /orgs/{org}/rulesets/{ruleset_id}', { org, ruleset_id });
  };
  const parameters = {
    strict_required_status_checks_policy: false,
    do_not_enforce_on_create: true,
    required_status_checks: [{ context: TRIED_CHECK, integration_id: appId }],
  };
  signal.throwIfAborted();
  undo.add(`the ruleset ${branch} of ${org}`, remove);
  try {
    await person.request('POST /orgs/{org}/rulesets', {
      ...{ org, name: branch, target: 'branch', enforcement: 'active', bypass_actors: [] },
      conditions: {
        ref_name: { include: [`refs/heads/${branch}`], exclude: [] },
        repository_id: { repository_ids: [id] },
      },
      rules: [{ type: 'required_status_checks', parameters }],
    });
    return 'created';
  } catch ({ status }) {
    return status === 422 ? 'refused' : 'unavailable';
  }
}
