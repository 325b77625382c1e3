import { inboxRequest, noticeChoiceRequest } from '../../contract/inbox.ts';
import { rollOutRequest } from '../../contract/roll-out.ts';
import { type InboxDeps, inbox } from '../../inbox/inbox.ts';
import { type NoticeChoiceDeps, noticeChoice } from '../../inbox/notice-choice.ts';
import { organizationRollOut, type RollOutDeps } from '../../inbox/roll-out.ts';
import { callsWith } from './call.ts';

export type InboxCallDeps = InboxDeps & NoticeChoiceDeps & RollOutDeps;

const { forSession } = callsWith<InboxCallDeps>();

export const inboxCalls = [
  forSession('/inbox', 'inbox', inboxRequest, inbox),
  forSession('/notice-choice', 'local', noticeChoiceRequest, noticeChoice),
  forSession('/organization-roll-out', 'organization', rollOutRequest, organizationRollOut),
];
