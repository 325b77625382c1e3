import { z } from 'zod';
import { githubId } from './fields.ts';
import type { Finding } from './findings.ts';
import type { OrganizationMember } from './organization.ts';
import type { CheckRequirement } from './organization-health.ts';

/** `POST /organization-roll-out`: for owners; who would be blocked if every repository required the check now. */
export const rollOutRequest = z.object({ orgID: githubId('No org ID, this is a bug') });

/** Open pull requests of a repository whose check hasn't passed, by what is stored. */
export type RollOutRepository = {
  name: string;
  /** `unknown` if GitHub wasn't asked about it yet, too. */
  required: CheckRequirement;
  waiting: number;
  /**
   * The number of pull requests that miss more approvals than members with an authenticator could give; null without a
   * list of members.
   */
  stuck: number | null;
};

/** A member without an authenticator who has to do with waiting pull requests. */
export type RollOutPerson = Pick<
  OrganizationMember,
  'id' | 'login' | 'pending' | 'hasAddress' | 'reminded'
> & {
  /** The number of pull requests they opened, and of those that request their review by name. */
  opened: number;
  asked: number;
};

/** The answer names at most this many repositories, and people. */
export const MOST_NAMED = 500;

/** Why there's no list of members to go through; `tooMany` are more than 5,000. */
export type NoMemberList = 'personalAccount' | 'notReadYet' | 'tooMany';

export type RollOutAnswer = {
  finding: Finding<'rollOut'>;
  /** The repositories with waiting pull requests: those without the check first, then by how many wait. */
  repositories: RollOutRepository[];
  /** The enforced rules that waiting pull requests don't meet, most missed first; the empty name is one approval of a member. */
  rules: { name: string; waiting: number }[];
  /** The most concerned first. */
  people: RollOutPerson[] | NoMemberList;
};
