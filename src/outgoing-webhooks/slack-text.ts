import type { StoredEntry } from '../audit/ports.ts';
import type { ActivityData } from '../contract/activity.ts';
import { entryText, isActivityKind, personText } from '../contract/events/log-text.ts';
import { minuteOf } from '../contract/events/words.ts';
import { plainText } from '../contract/parts.ts';
import type { WaitingPull } from '../inbox/ports.ts';
import { type About, linksOf, logUrl, type OutgoingEvent, settingsUrl } from './events.ts';

const LONGEST_NAME = 200;
const LONGEST_TEXT = 1_000;

/** The words of the log page and a link, for Slack and services that take the same (`text` of its incoming webhooks). */
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

/** The log page's words about an entry, as plain text. The names in it are people's own. */
function entrySentence({ event, person }: Pick<StoredEntry, 'event' | 'person'>): string {
  const kind = event?.activity ?? '';
  if (!isActivityKind(kind)) return 'The log has a new entry.';
  const data: ActivityData = { ...event?.data, ...person?.data };
  const text = plainText(entryText({ kind, data }), minuteOf);
  return `${personText({ kind, login: data.login ?? '' })} ${text}.`;
}
