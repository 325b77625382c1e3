import type { AuthenticatorCallDeps } from '../../authenticators/call-deps.ts';
import type { Organization, PullSearch, UnapprovedPull } from '../../organizations/ports.ts';
import type { ChangedFiles } from '../../policies/details.ts';
import type { Policies } from '../../policies/ports.ts';
import type { HeadDeps } from '../deps.ts';

/** The pull requests that wait in an organization, with the files of some of them. */
export type Waiting = { total: number; pulls: UnapprovedPull[]; files: Map<UnapprovedPull, ChangedFiles> };

/** Reads what waits in an organization, at most every five minutes. */
export type ReadWaiting = (org: Organization) => Promise<Waiting>;

/** All that the calls about policies take. */
export type PolicyDeps = HeadDeps &
  AuthenticatorCallDeps & {
    policies: Policies;
    pullSearch: PullSearch;
    readWaiting: ReadWaiting;
    /** Judges every open head of the organization again, in the background. */
    judgeAgain(org: Organization): void;
  };
