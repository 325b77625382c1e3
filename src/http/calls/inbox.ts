import { inboxRequest, noticeChoiceRequest } from '../../contract/inbox.ts';
import { type InboxDeps, inbox } from '../../inbox/inbox.ts';
import { type NoticeChoiceDeps, noticeChoice } from '../../inbox/notice-choice.ts';
import { callsWith } from './call.ts';

export type InboxCallDeps = InboxDeps & NoticeChoiceDeps;

const { forSession } = callsWith<InboxCallDeps>();

export const inboxCalls = [
  forSession('/inbox', 'inbox', inboxRequest, inbox),
  forSession('/notice-choice', 'local', noticeChoiceRequest, noticeChoice),
];
