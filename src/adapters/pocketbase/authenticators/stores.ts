import type { StoreDeps } from '../audit/activity-log.ts';
import { createChallenges } from './challenges.ts';
import { createCredentials } from './credentials.ts';
import { createDeviceLinks } from './device-links.ts';
import { createEnrolmentAddresses } from './enrolment-addresses.ts';
import { createEnrolments } from './enrolments.ts';
import { createHeldAuthenticators } from './held-authenticators.ts';
import { createLostAuthenticators } from './lost-authenticators.ts';
import { createCodeFailures, createTotpApps } from './totp-apps.ts';
import { createVouches } from './vouches.ts';

export const createAuthenticatorStores = ({ client, log, sealer, seals }: StoreDeps) => ({
  challenges: createChallenges(client, seals),
  codeFailures: createCodeFailures(client),
  credentials: createCredentials(client, log, seals),
  deviceLinks: createDeviceLinks(client, seals),
  enrolmentAddresses: createEnrolmentAddresses(client),
  enrolments: createEnrolments(client, seals),
  heldAuthenticators: createHeldAuthenticators(client),
  lostAuthenticators: createLostAuthenticators(client),
  totpApps: createTotpApps(client, log, { sealer, seals }),
  vouches: createVouches(client, log, seals),
});
