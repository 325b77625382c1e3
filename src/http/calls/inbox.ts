import { inboxRequest, noticeChoiceRequest } from '../../contract/inbox.ts';
import { rollOutRequest } from '../../contract/roll-out.ts';
import { inbox } from '../../inbox/inbox.ts';
import { noticeChoice } from '../../inbox/notice-choice.ts';
import { organizationRollOut } from '../../inbox/roll-out.ts';
import { aboutNothing, aboutOrg, forSession } from './call.ts';

export const inboxCalls = [
  forSession('/inbox', 'inbox', aboutNothing, inboxRequest, inbox),
  forSession('/notice-choice', 'local', aboutNothing, noticeChoiceRequest, noticeChoice),
  forSession('/organization-roll-out', 'organization', aboutOrg, rollOutRequest, organizationRollOut),
];
