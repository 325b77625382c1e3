import { z } from 'zod';
import { accessToken, accountLogin, githubId, objectOf } from './fields.ts';
import { policySchema } from './policy.ts';

/** `POST /github-preview-assurance`: for owners, before they change which authenticators count. */
export const assurancePreviewRequest = z.object({
  org: accountLogin('Missing organization'),
  orgID: githubId('missing organization id'),
  assurance: objectOf(policySchema.shape.assurance),
  accessToken: accessToken.optional(),
});

/** Of the members who can approve now, how many couldn't any more, and the logins of the first 20 of them. */
export type AssurancePreviewAnswer = { enrolled: number; without: number; logins: string[] };
