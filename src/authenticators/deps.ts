import type { Notices } from '../notices/ports.ts';
import type {
  Installations,
  Members,
  Memberships,
  Organization,
  Organizations,
} from '../organizations/ports.ts';
import type { PeopleDeps } from '../people/deps.ts';
import type { Session } from '../people/ports.ts';
import type { Policies } from '../policies/ports.ts';
import type {
  Challenges,
  CodeFailures,
  Credentials,
  DeviceLinks,
  EnrolmentAddresses,
  RelyingParty,
  TotpApps,
  Vouches,
} from './ports.ts';

/** The dependencies of the use cases of this room. */
export type AuthenticatorDeps = PeopleDeps & {
  challenges: Challenges;
  credentials: Credentials;
  totpApps: TotpApps;
  codeFailures: CodeFailures;
  /** Does one attempt at a time with each key. */
  codeAttempts: { add<Result>(key: string, attempt: () => Promise<Result>): Promise<Result> };
  vouches: Vouches;
  deviceLinks: DeviceLinks;
  enrolmentAddresses: EnrolmentAddresses;
  relyingParty: RelyingParty;
  notices: Pick<Notices, 'add'>;
  organizations: Organizations;
  installations: Installations;
  members: Members;
  memberships: Memberships;
  policies: Pick<Policies, 'inForce'>;
  /**
   * Tells whether this person, who isn't a member, may approve somewhere in the organization as an outside
   * collaborator.
   */
  isWelcomeFromOutside?(org: Organization, person: Session): Promise<boolean>;
};
