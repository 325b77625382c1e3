import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/** What somebody waits for, and when that ends at the latest and how. */
const WAITS: Record<string, string> = {
  'src/approvals/check-run/run.ts':
    'another process that creates the run: its claim’s end, 30 s: runBeingCreated',
  'src/approvals/reconcile/reconcile.ts': 'the claim of a process that died: 30 s',
  'src/cli/doctor/finding.ts': 'a check of the doctor: 10 s, the store 25: unknown',
  'src/adapters/github/fetch.ts':
    'an answer of GitHub: 10 s: githubUnavailable, and the next request asks again',
  'src/adapters/github/octokit.ts': 'a whole write, with its turn: 20 s: githubUnavailable with the time',
  'src/http/app.ts': 'the answer to any request: 45 s: tookTooLong',
  'src/http/readiness.ts': 'a balancer that asks: 3 s',
  'src/http/record-api/limit-streams.ts': 'a stream of events: a minute: the client connects again',
  'src/http/record-api/oauth-exchange.ts': 'the store’s answer to a sign-in: 20 s: storeUnavailable',
  'src/http/server.ts': 'open requests of a server that closes: 2 s: cut off',
  'src/http/webhook-intake.ts': 'the body of a webhook: 10 s: dropped, and reconciled soon',
  'src/shared/work.ts':
    'periodic work: 10 minutes without progress, or 30 in all: round_overdue, and the next round begins',
  'src/adapters/mail/smtp.ts': 'the mail server: 9 s: notice_unsent, and tried again for two hours',
  'src/adapters/https/https-sender.ts':
    'the receiver of an outgoing webhook: 10 s: hook_failed, and tried again',
  'src/adapters/pocketbase/process/supervise.ts':
    'the record store that ended: 15 s: storeUnavailable until then',
  'src/adapters/pocketbase/records/leases.ts':
    'a turn that another process has: two periods after that process was killed',
  'src/cli/set-up/registration.ts': 'GitHub’s credentials of a new App: 15 s: the page says to try again',
};

/** Short waits inside of those, of commands and of browsers, and timers that nobody waits for. */
const OTHERS: Record<string, string> = {
  'src/authenticators/register/register-webauthn.ts': 'the browser’s own dialog',
  'src/authenticators/step-up/challenges.ts': 'the browser’s own dialog',
  'src/app/scheduler.ts': 'a timer between two rounds, which nobody waits for',
  'src/cli/doctor/address.ts': '5 s, within a check of the doctor',
  'src/cli/read-key-list.ts': '15 s, then the command says that the address didn’t answer',
  'src/cli/rotate-key.ts': '3 s, for a process that is running',
  'src/shared/clock.ts': 'what others wait with',
  'src/adapters/s3/s3-copies.ts': 'a minute, then backup_failed, and the next hour tries again',
  'src/adapters/pocketbase/backups/restore-backup.ts': '20 s, then the command says so',
  'src/adapters/pocketbase/process/process-marker.ts':
    '2 s for an answer; 5 s, then the start says that another process is running',
  'src/adapters/pocketbase/process/start-store.ts': '30 s, then the start says so',
  'src/adapters/pocketbase/audit/activity-log.ts': '20 ms between two tries',
  'src/adapters/pocketbase/people/sessions.ts': '5 s, then storeUnavailable',
  'src/adapters/pocketbase/records/one-time-keys.ts': 'the caller’s time, then readyz says so',
  'src/adapters/pocketbase/schema/migrate.ts': 'a few tries of the start',
  'src/app/product.ts': 'the drain of a process that stops',
  'src/app/shutdown.ts': 'the end of the process',
};

const WAITING =
  /\bsetTimeout\(|AbortSignal\.timeout\(|\bdelay\(|\bsleep\(|\btimeout: [A-Z_a-z]+M[Ss]\b|Timeout: \w+Ms\b/;

it('every file that waits is in the table, with its end', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const waiting = files
    .map((name) => join('src', name))
    .filter((file) => WAITING.test(readFileSync(file, 'utf8')));
  expect(waiting.sort()).toEqual([...Object.keys(WAITS), ...Object.keys(OTHERS)].sort());
});
