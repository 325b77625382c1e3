import type { HookKind, HookOutcome } from '../../../../../src/contract/hooks.ts';

type HookText = { title: string; noun: string; about: string; example: string };

export const HOOK_TEXTS: Record<HookKind, HookText> = {
  webhook: {
    title: 'Webhook',
    noun: 'webhook',
    about: 'JSON to a server of yours, with a signature that only the secret can make.',
    example: 'https://hooks.example.com/otp-guard',
  },
  slack: {
    title: 'Slack',
    noun: 'Slack webhook',
    about: 'One line each to a channel of Slack, or of anything that takes its incoming webhooks.',
    example: 'https://hooks.slack.com/services/…',
  },
};

/** The outcome of a try, and below what to do. */
export function outcomeText(outcome: HookOutcome): { text: string; help: string; isGood: boolean } {
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
