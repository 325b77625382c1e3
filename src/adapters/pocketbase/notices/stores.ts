import type { StoreClient } from '../client.ts';
import { createNoticeChoices } from './notice-choices.ts';
import { createNotices } from './notices.ts';
import { createPullNotices } from './pull-notices.ts';

export const createNoticeStores = (client: StoreClient) => ({
  noticeChoices: createNoticeChoices(client),
  notices: createNotices(client),
  pullNotices: createPullNotices(client),
});
