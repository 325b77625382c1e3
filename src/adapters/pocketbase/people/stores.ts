import type { ActivityLog } from '../audit/activity-log.ts';
import type { StoreClient } from '../client.ts';
import { createEmailCodes } from './email-codes.ts';
import { createSessions } from './sessions.ts';
import { createUsers } from './users.ts';

export const createPeopleStores = (client: StoreClient, log: ActivityLog) => ({
  emailCodes: createEmailCodes(client),
  sessions: createSessions(client, log),
  users: createUsers(client),
});
