import { inboxRequest, noticeChoiceRequest } from '../../contract/inbox.ts';
import { rollOutRequest } from '../../contract/roll-out.ts';
import type { InboxDeps } from '../../inbox/deps.ts';
import { inbox } from '../../inbox/inbox.ts';
import { noticeChoice } from '../../inbox/notice-choice.ts';
import { organizationRollOut } from '../../inbox/roll-out.ts';
import { aboutNothing, aboutOrg, callsOf, forSession } from './call.ts';

export const inboxCalls = callsOf<InboxDeps>([
  forSession('/inbox', 'inbox', aboutNothing, inboxRequest, inbox),
  forSession('/notice-choice', 'local', aboutNothing, noticeChoiceRequest, noticeChoice),
  forSession('/organization-roll-out', 'organization', aboutOrg, rollOutRequest, organizationRollOut),
]);
