import { type Request, type Response, Router } from 'express';
import { pageOf, refuse, relay } from './answers.ts';
import { sendConditionally } from './conditional.ts';
import { forward, jsonBodyOf, readBody } from './forward.ts';
import { callerOf } from './gate.ts';
import type { Local } from './local.ts';
import type { Account, ChangedFile, CheckRun, Pull } from './shapes.ts';

type Protection = { required_status_checks?: { contexts?: string[] } | null };

const PASSED = ['success', 'neutral', 'skipped'];

/** What `edited` names as changed (GitHub: "Webhook events and payloads", pull_request). */
function changesBetween(before: Pull, after: Pull): Record<string, unknown> {
  const base = { ref: { from: before.base.ref }, sha: { from: before.base.sha } };
  return {
    ...(before.title !== after.title && { title: { from: before.title } }),
    ...(before.body !== after.body && { body: { from: before.body ?? '' } }),
    ...(before.base.ref !== after.base.ref && { base }),
  };
}

const draftAction = (before: Pull, after: Pull) => {
  if (before.draft === after.draft) return undefined;
  return after.draft ? 'converted_to_draft' : 'ready_for_review';
};

/** Pull requests: the webhooks that the emulator leaves out, their files, and the merge's last check. */
export function pullRoutes(local: Local): Router {
  const router = Router();
  const { upstream, hooks } = local;
  const pathOf = (req: Request) => `/repos/${req.params.owner}/${req.params.repo}/pulls/${req.params.number}`;

  const tell = async (res: Response, action: string, pull: Pull, more: object) => {
    const caller = callerOf(res);
    const token = 'inner' in caller && caller.kind !== 'installation' ? caller.inner : undefined;
    const sender = await upstream.get<Account>('/user', token);
    const repository = await upstream.get(`/repos/${pull.base.repo.full_name}`);
    const payload = { action, number: pull.number, pull_request: pull, ...more, repository, sender };
    hooks.emit(pull.base.repo.owner.login, { name: 'pull_request', payload });
  };

  router.get('/repos/:owner/:repo/pulls', readBody, async (req, res) => {
    const answer = await forward(upstream, req as unknown as Request);
    if (answer.status !== 200) {
      relay(res, answer);
      return;
    }
    const link = answer.headers.get('link');
    if (link !== null) res.setHeader('link', link);
    sendConditionally(req as unknown as Request, res, answer.json);
  });

  router.put('/repos/:owner/:repo/pulls/:number/update-branch', readBody, async (req, res) => {
    const before = await upstream.get<Pull>(pathOf(req));
    const answer = await forward(upstream, req);
    const after = await upstream.get<Pull>(pathOf(req));
    if (answer.status === 202 && before && after) {
      await tell(res, 'synchronize', after, { before: before.head.sha, after: after.head.sha });
    }
    relay(res, answer);
  });

  router.patch('/repos/:owner/:repo/pulls/:number', readBody, async (req, res) => {
    const before = await upstream.get<Pull>(pathOf(req));
    const answer = await forward(upstream, req);
    if (answer.status === 200 && before) {
      const after = answer.json as Pull;
      const changes = changesBetween(before, after);
      if (Object.keys(changes).length > 0) await tell(res, 'edited', after, { changes });
      const draft = draftAction(before, after);
      if (draft) await tell(res, draft, after, {});
    }
    relay(res, answer);
  });

  router.get('/repos/:owner/:repo/pulls/:number/files', readBody, async (req, res) => {
    const pull = await upstream.get<Pull>(pathOf(req));
    const compared =
      pull &&
      (await upstream.get<{ files: ChangedFile[] }>(
        `/repos/${pull.base.repo.full_name}/compare/${pull.base.sha}...${pull.head.sha}`,
      ));
    // The emulator invents the files of a pull request; only a comparison tells the real ones.
    if (compared) res.json(pageOf(req, res, compared.files));
    else relay(res, await forward(upstream, req));
  });

  /** The emulator lets any success of that name on that commit count, also one that a later run took back. */
  const isStillRequired = async (pull: Pull) => {
    const repo = pull.base.repo.full_name;
    const branch = encodeURIComponent(pull.base.ref);
    const protection = await upstream.get<Protection>(`/repos/${repo}/branches/${branch}/protection`);
    const contexts = protection?.required_status_checks?.contexts ?? [];
    const answer = await upstream.get<{ check_runs: CheckRun[] }>(
      `/repos/${repo}/commits/${pull.head.sha}/check-runs`,
    );
    const passed = (answer?.check_runs ?? []).filter((run) => PASSED.includes(run.conclusion ?? ''));
    return !contexts.every((context) => passed.some((run) => run.name === context));
  };

  router.put('/repos/:owner/:repo/pulls/:number/merge', readBody, async (req, res) => {
    const pull = await upstream.get<Pull>(pathOf(req));
    const { sha } = jsonBodyOf(req);
    const isCurrent = sha === undefined || sha === pull?.head.sha;
    // A fork's runs cannot be listed by commit; there the emulator's own check stands alone.
    const isOwn = pull?.head.repo?.id === pull?.base.repo.id;
    if (pull?.state === 'open' && isCurrent && isOwn && (await isStillRequired(pull))) {
      refuse(res, 422, 'Required status checks have not succeeded.');
      return;
    }
    relay(res, await forward(upstream, req));
  });

  return router;
}
