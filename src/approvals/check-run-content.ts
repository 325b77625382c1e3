import type { Verdict } from './evaluate.ts';
import { approvalUrl, type Places } from './links.ts';
import type { Approval, CheckRunContent, PullRequest, RepositoryRef } from './ports.ts';

/** What the head's check run says about a verdict. The texts hold nothing that a stranger chose. */
export function checkRunContent(places: Places, repo: RepositoryRef, verdict: Verdict): CheckRunContent {
  const waiting = verdict.standings.filter(({ approval }) => approval === null).map(({ pull }) => pull);
  const summary = verdict.standings
    .map(({ pull, approval }) => (approval ? approvedLine(pull, approval) : waitingLine(places, repo, pull)))
    .join('\n\n');
  const shown = waiting[0] ?? verdict.standings[0]?.pull;
  const detailsUrl = shown ? approvalUrl(places, repo, shown) : places.publicUrl;
  if (!verdict.passed) {
    return { status: 'in_progress', detailsUrl, title: waitingTitle(waiting), summary };
  }
  const logins = [...new Set(verdict.standings.map(({ approval }) => approval?.login))];
  return {
    status: 'completed',
    conclusion: 'success',
    detailsUrl,
    title: `Approved by ${logins.join(', ')}`,
    summary,
  };
}

function waitingTitle(waiting: PullRequest[]): string {
  if (waiting.length < 2) return 'Waiting for an approval';
  return `Waiting for approvals of ${waiting.map(({ number }) => `#${number}`).join(', ')}`;
}

function waitingLine(places: Places, repo: RepositoryRef, pull: PullRequest): string {
  return (
    `Commit \`${pull.head.slice(0, 8)}\` of #${pull.number} into \`${pull.base}\` waits for a member of ` +
    `${pull.repo.owner}. [Approve it](${approvalUrl(places, repo, pull)}).`
  );
}

const METHODS = { passkey: 'a passkey', 'security-key': 'a security key', totp: 'a one-time code' } as const;

function approvedLine(pull: PullRequest, approval: Approval): string {
  const verified = approval.userVerified ? ', user verified' : '';
  return (
    `@${approval.login} approved commit \`${pull.head.slice(0, 8)}\` of #${pull.number} into \`${pull.base}\` ` +
    `with ${METHODS[approval.method]}${verified}, on ${approval.at.toISOString().slice(0, 16).replace('T', ' ')} UTC.`
  );
}
