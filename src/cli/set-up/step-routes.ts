import { type RequestHandler, Router } from 'express';
import type { Admission } from './admission.ts';
import { sendRefusal } from './layout.ts';
import { versionOf } from './look.ts';
import { type Facts, isComplete, type Progress, type SetUpProduct, type SetUpState } from './progress.ts';
import { stepsOf } from './steps.ts';
import { sendDonePage, sendStartingPage, sendStepsPage } from './steps-page.ts';

export type StepDeps = {
  facts: Facts;
  admission: Admission;
  progress(): Progress;
  look(): Promise<SetUpState>;
  /** Every step is done: nobody else is admitted from now on. */
  onComplete(state: SetUpState): void;
};

const NO_ANSWER = "GitHub or the record store doesn't answer. Reload this page to try again.";

/** The pages after the registration, for the admitted browser only; others pass. */
export function stepRoutes(deps: StepDeps): Router {
  const router = Router();
  router.use(
    ['/steps', '/progress', '/ruleset.json', '/repository-ruleset.json'],
    (request, _response, next) =>
      next(deps.progress().phase !== 'register' && deps.admission.isAdmitted(request) ? undefined : 'router'),
  );
  router.get('/steps', showSteps(deps));
  router.get('/progress', async (_request, response) => {
    response.set('Cache-Control', 'no-store');
    const step = await stepOf(deps).catch(() => null);
    response.status(step === null ? 502 : 200).json({ step });
  });
  router.get('/ruleset.json', sendRuleset(deps, 'ruleset'));
  router.get('/repository-ruleset.json', sendRuleset(deps, 'repository'));
  return router;
}

async function stepOf({ progress, look }: StepDeps): Promise<string> {
  const { phase } = progress();
  return phase === 'steps' ? versionOf(await look()) : phase;
}

function showSteps(deps: StepDeps): RequestHandler {
  const { facts, progress, look, onComplete } = deps;
  return async (_request, response) => {
    const now = progress();
    if (now.phase === 'starting') return sendStartingPage(response, now.installUrl);
    if (now.phase === 'done') return sendDonePage(response, { facts, state: now.state });
    if (now.phase !== 'steps') return;
    const state = await look().catch(() => null);
    if (state === null) return sendRefusal(response, 502, NO_ANSWER);
    if (isComplete(state)) {
      onComplete(state);
      return sendDonePage(response, { facts, state });
    }
    const importUrl = state.hasOwner ? ((await rulesetOf(now.product, state))?.importUrl ?? null) : null;
    const { installUrl } = now.product;
    const steps = stepsOf({ facts, installUrl, state, importUrl });
    sendStepsPage(response, { steps, version: versionOf(state) });
  };
}

function sendRuleset({ progress, look }: StepDeps, which: 'ruleset' | 'repository'): RequestHandler {
  return async (request, response) => {
    const now = progress();
    const state = now.phase === 'steps' ? await look().catch(() => null) : null;
    const found = now.phase === 'steps' && state ? await rulesetOf(now.product, state) : null;
    if (!found) return sendRefusal(response, 502, NO_ANSWER);
    response
      .set('Cache-Control', 'no-store')
      .attachment(`otp-guard-${request.path.slice(1)}`)
      .type('json');
    response.send(`${JSON.stringify(found[which], null, 2)}\n`);
  };
}

const rulesetOf = async (product: SetUpProduct, { account }: SetUpState) =>
  account && product.readRuleset(account.installation).catch(() => null);
