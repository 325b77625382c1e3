import type { NewNotice, NoticeData, NoticeKind } from './ports.ts';

/** The same notice to each of these people, once. */
export const noticesTo = (userIds: string[], kind: NoticeKind, data: NoticeData): NewNotice[] =>
  [...new Set(userIds)].map((userId) => ({ kind, userId, data }));
