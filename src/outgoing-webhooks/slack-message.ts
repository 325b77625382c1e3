import type { StoredEntry } from '../audit/ports.ts';
import type { ActivityData } from '../contract/activity.ts';
import { entryText, isActivityKind, personText } from '../contract/events/log-text.ts';
import { minuteOf } from '../contract/events/words.ts';
import { plainText } from '../contract/parts.ts';
import type { WaitingPull } from '../inbox/ports.ts';
import { type About, linksOf, logUrl, type OutgoingEvent, settingsUrl } from './events.ts';

const LONGEST_NAME = 200;
/** Escaped, a character has at most five, and a section's text at most 3,000 (docs.slack.dev, "Section block"). */
const LONGEST_SENTENCE = 500;

/** The contents of a message: each text with Slack's markup, and escaped. */
type Contents = { title: string; context: string; button: { text: string; url: string } };

/**
 * The body for Slack's incoming webhooks: a title, a line of context and a button as blocks, and the same as `text`, which
 * notifications show and services that know no blocks (docs.slack.dev, "Reference: blocks").
 */
export function slackMessage(event: OutgoingEvent, about: About): object {
  const { title, context, button } = contentsOf(event, about);
  return {
    text: `${title} (${context}) ${link(button.url, button.text)}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: title } },
      { type: 'context', elements: [{ type: 'mrkdwn', text: context }] },
      {
        type: 'actions',
        elements: [{ type: 'button', text: { type: 'plain_text', text: button.text }, url: button.url }],
      },
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

function contentsOf(event: OutgoingEvent, about: About): Contents {
  const org = escapeSlack(about.outgoing.org.name);
  if (event.type === 'test') {
    const button = { text: 'Open webhooks', url: settingsUrl(about) };
    return { title: 'This is a test of the webhook.', context: `OTP Guard for ${org}`, button };
  }
  if (event.type === 'pull') return pullContents(event.pull, about);
  const title = escapeSlack(entrySentence(event.entry), LONGEST_SENTENCE);
  return { title, context: `Log of ${org}`, button: { text: 'Open the log', url: logUrl(about) } };
}

function pullContents(pull: WaitingPull, about: About): Contents {
  const { url, approval } = linksOf(pull, about);
  const repository = escapeSlack(`${about.outgoing.org.name}/${pull.repoName}`);
  const button = { text: 'Review and approve', url: approval };
  if (pull.deployment) {
    const { run, environment, ref } = pull.deployment;
    const to = `to *${escapeSlack(environment)}*`;
    return {
      title: `${link(url, `A deployment of ${repository}`)} ${to} is waiting for approval`,
      context: `run ${run} · of ${escapeSlack(ref)}`,
      button,
    };
  }
  const name = `${repository}#${pull.pr}`;
  const by = pull.author ? [`by ${escapeSlack(pull.author)}`] : [];
  return {
    title: `${link(url, name)} is waiting for approval: *“${escapeSlack(pull.title)}”*`,
    context: [...by, `into ${escapeSlack(pull.base)}`].join(' · '),
    button,
  };
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
