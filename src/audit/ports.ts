import type { ActivityData, ActivityKind } from '../contract/activity.ts';
import type { NewNotice } from '../notices/ports.ts';

/** An entry for an organization's activity log. */
export type NewActivity = {
  activity: ActivityKind;
  /** Record id of the person who did it; empty if they never signed in here. */
  userId: string;
  /** Record id of the organization. */
  orgRecordId: string;
  data: ActivityData;
};

/** What a change logs and who gets notified of it. A port stores it in the same step as the change. */
export type Effects = { activity: NewActivity; notices: NewNotice[] };
