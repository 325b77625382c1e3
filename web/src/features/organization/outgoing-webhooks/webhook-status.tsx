import type {
  OutgoingWebhookAnswer,
  OutgoingWebhookKind,
  OutgoingWebhookOutcome,
  OutgoingWebhookTry,
} from '../../../../../src/contract/outgoing-webhooks.ts';
import { Notice } from '../../../components/notice.tsx';
import { Ago } from '../../../components/text.tsx';
import { exactTime } from '../../../lib/times.ts';
import { StatusRow } from '../status-row.tsx';

/** Shows where an outgoing webhook leads, and how the last try went. */
export const WebhookStatus = ({ webhook }: { webhook: OutgoingWebhookAnswer }) => (
  <>
    <p>
      To <code>{webhook.host}</code>
    </p>
    <div role="status">
      {webhook.last ? (
        <LastTry last={webhook.last} />
      ) : (
        <StatusRow status="unknown">
          <p>Nothing was sent yet.</p>
        </StatusRow>
      )}
    </div>
    {webhook.stopped && (
      <Notice variant="warning">
        <p>It failed for a week, so it was stopped. Replace it to send again from then on.</p>
      </Notice>
    )}
    {webhook.failingSince && webhook.nextTry && (
      <p className="quiet">
        Failing since {exactTime(webhook.failingSince)}. Next try: {exactTime(webhook.nextTry)}. A successful
        test brings it forward.
      </p>
    )}
  </>
);

function LastTry({ last: { at, outcome } }: { last: OutgoingWebhookTry }) {
  const { text, help, isGood } = outcomeText(outcome);
  return (
    <StatusRow status={isGood ? 'ok' : 'failing'}>
      <p>
        {text}, <Ago at={at} />
      </p>
      {help && <p className="quiet">{help}</p>}
    </StatusRow>
  );
}

type WebhookText = { title: string; noun: string; about: string; example: string };

export const WEBHOOK_TEXTS: Record<OutgoingWebhookKind, WebhookText> = {
  webhook: {
    title: 'Webhook',
    noun: 'webhook',
    about: 'JSON to a server of yours, with a signature that only the secret can make.',
    example: 'https://hooks.example.com/otp-guard',
  },
  slack: {
    title: 'Slack',
    noun: 'Slack webhook',
    about: 'Posts each event to Slack, or to any service that accepts Slack webhooks.',
    example: 'https://hooks.slack.com/services/…',
  },
};

/** The outcome of a try, and below what to do. */
function outcomeText(outcome: OutgoingWebhookOutcome): { text: string; help: string; isGood: boolean } {
  if (outcome.result === 'certificate') {
    return {
      text: 'Not delivered: its certificate isn’t valid',
      help: 'It has to be for this host name, not expired, and by an authority that browsers trust.',
      isGood: false,
    };
  }
  if (outcome.result === 'unreachable') {
    return {
      text: 'Not delivered: no answer',
      help: 'It has to be reachable from the internet at port 443. Private addresses are never connected to.',
      isGood: false,
    };
  }
  const { status } = outcome;
  if (status >= 200 && status < 300)
    return { text: `Delivered: it answered ${status}`, help: '', isGood: true };
  const help =
    status >= 300 && status < 400 ? 'Redirects aren’t followed: set the address that it leads to.' : '';
  return { text: `Not delivered: it answered ${status}`, help, isGood: false };
}
