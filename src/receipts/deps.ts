import type { CommitPulls } from '../approvals/ports.ts';
import type { StoryDeps } from '../approvals/story.ts';
import type { LogChecks, LogReader, SigningKeys } from '../audit/ports.ts';
import type { RoleDeps } from '../organizations/require-role.ts';
import type { Clock } from '../shared/clock.ts';
import type { Origins } from '../shared/links.ts';
import type { Enrolments, ProvedApprovals } from './ports.ts';

/** All that the calls of this room take. */
export type ReceiptDeps = RoleDeps &
  StoryDeps & {
    auditLog: LogReader;
    logChecks: LogChecks;
    signingKeys: Pick<SigningKeys, 'current'>;
    enrolments: Enrolments;
    provedApprovals: ProvedApprovals;
    commitPulls: CommitPulls;
    origins: Origins;
    clock: Clock;
  };
