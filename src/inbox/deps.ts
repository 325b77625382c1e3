import type { PullRequests, RepositoryAccess } from '../approvals/ports.ts';
import type { Deployments, WorkflowRuns } from '../deployments/ports.ts';
import type { Contacts } from '../notices/ports.ts';
import type { Memberships } from '../organizations/ports.ts';
import type { RoleDeps } from '../organizations/require-role.ts';
import type { Policies } from '../policies/ports.ts';
import type { RepositoryChecks } from '../protection/ports.ts';
import type { Clock } from '../shared/clock.ts';
import type { Origins } from '../shared/links.ts';
import type { NoticeChoices, OwnApprovals, Profiles, PullNotices, WaitingPulls } from './ports.ts';
import type { ReadPools, TeamAnswers, WaitingLists } from './read-where.ts';
import type { VisibleRepositories } from './visible-repositories.ts';

/** The dependencies of the use cases of this room. */
export type InboxDeps = RoleDeps & {
  visible: VisibleRepositories;
  waitingLists: WaitingLists;
  deployments: Pick<Deployments, 'waiting'>;
  waitingPulls: Pick<WaitingPulls, 'changedSince'>;
  readPools: ReadPools;
  teamsOf: TeamAnswers;
  ownApprovals: OwnApprovals;
  profiles: Profiles;
  noticeChoices: NoticeChoices;
  pullNotices: PullNotices;
  memberships: Pick<Memberships, 'of' | 'list'>;
  repositoryChecks: Pick<RepositoryChecks, 'list'>;
  policies: Pick<Policies, 'inForce'>;
  access: Pick<RepositoryAccess, 'permission'>;
  pulls: Pick<PullRequests, 'get'>;
  workflowRuns: Pick<WorkflowRuns, 'get' | 'pending'>;
  users: Contacts;
  origins: Origins;
  clock: Clock;
};
