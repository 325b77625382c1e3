import { type Html, html } from '../../html.ts';
import type { Facts, SetUpState } from './progress.ts';

/** One line of the page. `now` says what to do, while it's the first that isn't done; `aside` is shown once it can be done. */
export type StepView = { isDone: boolean; title: string; text: string; now?: Html; aside?: Html };

type StepsInput = { facts: Facts; installUrl: string; state: SetUpState; importUrl: string | null };

const MODES: Record<string, string> = {
  open: 'Everybody who can sign in to GitHub as a member can register their first authenticator.',
  email: 'A first authenticator needs a code to a company address.',
  vouched: 'A first authenticator needs the word of somebody in the organization.',
};

/** What is done, and what comes next, from the registered App to a protected repository. */
export function stepsOf(input: StepsInput): StepView[] {
  return [
    { isDone: true, title: 'Register the App', text: 'The App is registered.' },
    { isDone: true, title: 'Start OTP Guard', text: 'OTP Guard runs.' },
    installation(input),
    webhook(input),
    authenticator(input),
    enrolment(input),
    requirement(input),
    pullRequest(input),
  ];
}

const button = (href: string, label: string) =>
  html`<a class="button" href="${href}" target="_blank" rel="noopener">${label}</a>`;

const installation = ({ state: { account }, installUrl }: StepsInput): StepView => ({
  isDone: account !== null,
  title: 'Install it',
  text: account ? `It's installed on ${account.login}.` : 'Install the App on your organization.',
  now: html`${button(installUrl, 'Install it on GitHub')}
<p class="quiet">An owner of the organization has to do it. Choose all repositories, or those to protect.</p>`,
});

const webhook = ({ state: { hasWebhook }, facts }: StepsInput): StepView => ({
  isDone: hasWebhook,
  title: 'See a webhook arrive',
  text: hasWebhook ? "GitHub's webhooks arrive." : "Waiting for GitHub's first webhook.",
  now: html`<p class="quiet">GitHub sends one with the installation. Nothing arrives? Check that GitHub can reach
<code>${facts.webhookUrl}</code>; <code>otp-guard doctor</code> shows what GitHub got for an answer.</p>`,
});

const authenticator = ({ state, facts }: StepsInput): StepView => ({
  isDone: state.hasOwner,
  title: 'Register your authenticator',
  text: state.hasOwner ? 'An owner has an authenticator.' : 'Register a passkey, a security key or an app.',
  now: state.account?.org
    ? html`${button(dashboard(facts, state, '/register'), 'Register yours')}
<p class="quiet">It opens in a new tab. Sign in as an owner of ${state.account.login}, then come back here.</p>`
    : html`<p class="quiet">OTP Guard reads the organization from GitHub first, within five minutes.</p>`,
});

/** A policy is changed with an authenticator, so this comes after one. It's done only if an owner saved a policy. */
const enrolment = ({ state, facts }: StepsInput): StepView => ({
  isDone: state.enrolment.isChosen,
  title: 'Choose who gets in',
  text: `${MODES[state.enrolment.mode] ?? 'The policy says how a first authenticator gets in.'}${
    state.enrolment.isChosen ? '' : " That's the default: no owner has chosen it yet."
  }`,
  ...(state.hasOwner && { aside: policyLink(facts, state) }),
});

const policyLink = (facts: Facts, state: SetUpState) =>
  html`<p class="quiet"><a href="${dashboard(facts, state, '/org/policy')}" target="_blank" rel="noopener">Choose in the
policy</a>, in a new tab. You can also leave it, and choose later.</p>`;

/** For the last page: what is left open, and where to change it. */
export const leftOpenList = (facts: Facts, state: SetUpState): Html | false =>
  state.leftOpen.length > 0 &&
  html`<p>Left open:</p>
<ul>
${state.leftOpen.map(({ part, text, decision }) => {
  const isMembers = part === 'members';
  const href = dashboard(facts, state, isMembers ? '/org/members' : '/org/policy');
  return html`<li>${text} ${decision} <a href="${href}" target="_blank" rel="noopener">${isMembers ? 'Members' : 'Policy'}</a></li>
`;
})}</ul>`;

const requirement = ({ state, importUrl }: StepsInput): StepView => ({
  isDone: state.isRequired,
  title: 'Require the check',
  text: state.isRequired
    ? 'A repository requires the check.'
    : 'Let GitHub require the check before a merge.',
  now: html`<a class="button" href="/set-up/ruleset.json" download="otp-guard-ruleset.json">Download the ruleset</a>
<p>On GitHub, ${
    importUrl
      ? html`open <a href="${importUrl}" target="_blank" rel="noopener">the rulesets</a>`
      : 'open the settings of a repository, then Rules'
  }, choose <em>New ruleset</em>, then <em>Import a ruleset</em>, and <em>Create</em>.</p>
<p class="quiet">OTP Guard asks GitHub again every minute. Still not? Without a paid plan, GitHub offers rulesets only in
the settings of each public repository: import <a href="/set-up/repository-ruleset.json"
download="otp-guard-repository-ruleset.json">the file for one repository</a> there.</p>`,
});

const pullRequest = ({ state }: StepsInput): StepView => ({
  isDone: state.hasPull,
  title: 'See a pull request wait',
  text: state.hasPull ? 'A pull request has its check.' : 'Open a pull request.',
  now: html`<p class="quiet">Its check <strong>OTP Guard</strong> is pending within seconds, and <em>Details</em> leads to its
approval. Not? Look at its repository in the App's settings on GitHub.</p>`,
});

/** A page of the dashboard about the account: the names are those of its addresses. */
function dashboard({ publicUrl }: Facts, { account }: SetUpState, path: string): string {
  const query = { owner: account?.login ?? '', ownerID: String(account?.org?.orgId ?? '') };
  return `${publicUrl}${path}?${new URLSearchParams(query)}`;
}
