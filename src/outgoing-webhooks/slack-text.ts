import type { StoredEntry } from '../audit/ports.ts';
import { type ActivityData, type ActivityKind, activityKinds } from '../contract/activity.ts';
import { authenticatorKinds } from '../contract/authenticator-kinds.ts';
import { changeText, loggedChange } from '../contract/protection-words.ts';
import type { WaitingPull } from '../inbox/ports.ts';
import { type About, linksOf, logUrl, type OutgoingEvent, settingsUrl } from './events.ts';

const LONGEST_NAME = 200;
const LONGEST_TEXT = 1_000;

/** One sentence and a link, for Slack and services that take the same (`text` of its incoming webhooks). */
export function slackText(event: OutgoingEvent, about: About): string {
  if (event.type === 'test')
    return `This is a test of the webhook of ${escapeSlack(about.outgoing.org.name)}. ${link(settingsUrl(about), 'Webhooks')}`;
  if (event.type === 'pull') return pullText(event.pull, about);
  return `${escapeSlack(entrySentence(event.entry), LONGEST_TEXT)} ${link(logUrl(about), 'Log')}`;
}

function pullText(pull: WaitingPull, about: About): string {
  const { url, approval } = linksOf(pull, about);
  const by = pull.author ? ` by ${escapeSlack(pull.author)}` : '';
  const name = link(url, `${escapeSlack(pull.repoName)} #${pull.pr}`);
  return `${name} “${escapeSlack(pull.title)}”${by} waits for an approval. ${link(approval, 'Approve')}`;
}

/** Our own links only: they contain neither `>` nor `|`, which `URLSearchParams` encodes. */
const link = (url: string, text: string) => `<${url.replaceAll('&', '&amp;')}|${text}>`;

/**
 * A text that people chose, so that it's shown as it is: it links nothing,
 * mentions nobody and stays on its line. Slack itself needs only `&`, `<` and
 * `>` escaped (docs.slack.dev, "Formatting message text"); Mattermost and others
 * also read Markdown, bare mentions and bare host names, which a zero-width space breaks.
 */
function escapeSlack(text: string, longest = LONGEST_NAME): string {
  const characters = Array.from(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' '));
  const cut = characters.length > longest ? `${characters.slice(0, longest).join('')}…` : characters.join('');
  return cut
    .replace(/[@#*_~`[\]!|\\]|:(?=\/\/)|\.(?=\S)/g, '$&\u200b')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** One sentence about an entry of the log, as plain text. The names in it are people's own. */
function entrySentence({ event, person }: Pick<StoredEntry, 'event' | 'person'>): string {
  const kind = activityKinds.find((known) => known === event?.activity);
  const data: ActivityData = { ...event?.data, ...person?.data };
  return kind ? `${SENTENCES[kind](data)}.` : 'The log has a new entry.';
}

const who = ({ login }: ActivityData) => login || 'Somebody';
const whose = ({ user }: ActivityData) => (user ? `${user}’s` : 'a member’s');
const what = ({ type }: ActivityData) => (type && authenticatorKinds[type]?.noun) || 'authenticator';
const one = (data: ActivityData) => `${/^[aeiou]/.test(what(data)) ? 'an' : 'a'} ${what(data)}`;
const commit = ({ sha }: ActivityData) => (sha ? ` at ${sha.slice(0, 8)}` : '');
const pull = (data: ActivityData) =>
  data.repo && data.pr ? `${data.repo} #${data.pr}${commit(data)}` : 'a pull request';
const receiver = (data: ActivityData) =>
  `${data.hook === 'slack' ? 'Slack' : 'the webhook'}${data.host ? ` (${data.host})` : ''}`;

const SENTENCES: Record<ActivityKind, (data: ActivityData) => string> = {
  webauthnCollect: (data) => `${who(data)} approved ${pull(data)} with ${one(data)}`,
  totpCollect: (data) => `${who(data)} approved ${pull(data)} with ${authenticatorKinds.totp.method}`,
  webauthnRegister: (data) => `${who(data)} registered ${one(data)}`,
  totpRegister: (data) => `${who(data)} registered ${one({ type: 'totp' })}`,
  authenticatorRename: (data) => `${who(data)} renamed ${one(data)}`,
  authenticatorDelete: (data) => `${who(data)} deleted ${one(data)}${lost(data)}`,
  memberAuthenticatorDelete: (data) => `${who(data)} removed ${whose(data)} ${what(data)}${lost(data)}`,
  approvalWithdraw: (data) =>
    `${who(data)} withdrew ${data.user === data.login ? 'an' : whose(data)} approval of ${pull(data)}`,
  memberSessionsEnd: (data) => `${who(data)} ended ${whose(data)} sessions`,
  setOrgImage: (data) => `${who(data)} set the organization’s security image`,
  policyChange: (data) => `${who(data)} changed the policy`,
  unapprovedMerge: (data) => `${who(data)} merged ${pull(data)} without an approval${around(data)}`,
  forgedRecord: () => 'OTP Guard found a forged record in its database, and ignores it',
  forgedCheck: (data) => `GitHub showed a green check on ${pull(data)} that OTP Guard didn’t give`,
  webauthnPending: (data) => `${who(data)} registered ${one(data)}, which waits to be confirmed`,
  vouch: (data) => `${who(data)} vouched for ${whose(data)} ${what(data)}`,
  confirmOwner: (data) => `The operator of OTP Guard confirmed the ${what(data)} of ${who(data)}`,
  restore: () => 'The records were restored from a backup',
  hookSet: (data) => `${who(data)} set ${receiver(data)}`,
  hookRemove: (data) => `${who(data)} removed ${receiver(data)}`,
  hookStop: (data) => `OTP Guard stopped ${receiver(data)}: it failed for a week`,
  protectionWeakened: (data) => `What protects the organization became weaker: ${changed(data)}`,
  protectionStrengthened: (data) => `What protects the organization became stronger: ${changed(data)}`,
  protectionBaseline: (data) => `${who(data)} sent who may bypass the organization’s rulesets`,
  weakeningAcknowledged: (data) =>
    `${who(data)} acknowledged that this became weaker: ${changed({ ...data, login: '' })}`,
};

function changed(data: ActivityData): string {
  const change = loggedChange(data);
  const by = data.login ? `, by ${data.login}` : '';
  return `${change ? changeText(change) : 'a rule'}${by}`;
}

const around = ({ rules = [] }: ActivityData) =>
  rules.length > 0 ? `, around ${rules.map((rule) => `“${rule}”`).join(' and ')}` : '';

const lost = ({ lostSince }: ActivityData) => (lostSince ? ', which was lost or stolen' : '');
