import type { Response } from 'express';
import { type Html, html } from '../../html.ts';
import { sendPage } from './layout.ts';
import type { Facts, SetUpState } from './progress.ts';
import { leftOpenList, type StepView } from './steps.ts';

/** Without JavaScript the page looks again by itself. */
const LOOK_AGAIN = html`<noscript><meta http-equiv="refresh" content="5"></noscript>`;

/** The steps after the registration: what is done, and what to do next. `version` changes with every step. */
export function sendStepsPage(
  response: Response,
  { steps, version }: { steps: StepView[]; version: string },
): void {
  const current = steps.find(({ isDone, now }) => !isDone && now !== undefined);
  const number = steps.filter(({ isDone }) => isDone).length;
  const body = html`${LOST}
<p class="quiet" role="status">${number} of ${steps.length} steps are done. This page goes on by itself.</p>
<ol id="progress" data-step="${version}">
${steps.map((step) => line(step, step === current))}
</ol>`;
  sendPage(response, { title: current?.title ?? 'Set up OTP Guard', body, head: LOOK_AGAIN });
}

/** Until the product answers. */
export function sendStartingPage(response: Response, installUrl: string | null): void {
  const body = html`${LOST}
<ol id="progress" data-step="starting">
<li><p class="done">The App is registered.</p></li>
<li aria-current="step"><p class="waiting" role="status">OTP Guard starts.</p></li>
</ol>
${installUrl && html`<p class="quiet"><a href="${installUrl}" target="_blank" rel="noopener">Install the App on GitHub</a></p>`}`;
  sendPage(response, { title: 'OTP Guard starts', body, head: LOOK_AGAIN });
}

/** The last page. */
export function sendDonePage(
  response: Response,
  { facts, state }: { facts: Facts; state: SetUpState },
): void {
  const body = html`<p class="done" role="status">A repository of ${state.account?.login}
requires the check, and a pull request has it.</p>
${leftOpenList(facts, state)}
<p>Next: ask everyone to register, with <em>Members</em> in the dashboard. For production, add
<code>NODE_ENV=production</code> to the settings. <code>otp-guard doctor</code> looks at everything else.</p>
<a class="button" href="${facts.publicUrl}/">Open OTP Guard</a>`;
  sendPage(response, { title: 'OTP Guard is set up', body });
}

const LOST = html`<p id="lost" role="alert" hidden>OTP Guard doesn't answer. The terminal that runs it says why.</p>`;

function line({ isDone, title, text, now, aside }: StepView, isCurrent: boolean): Html {
  const shown = isDone || isCurrent || aside ? text : title;
  return html`<li${isCurrent && CURRENT}><p class="${isDone ? 'done' : 'waiting'}">${shown}</p>
${isCurrent && now}${!isDone && aside}</li>
`;
}

const CURRENT = html` aria-current="step"`;
