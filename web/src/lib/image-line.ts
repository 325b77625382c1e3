import type { Organization, User } from './user.ts';

/** What stands beside the security images: what they're for. `name` is the organization's, between the other parts. */
type ImageLine = { before: string; name: string; after: string };

export const OWN_LINE = "Your security image. If it isn't the one you chose, this isn't OTP Guard.";
const ONE_LINE = "If it isn't the one you know, this isn't OTP Guard.";
const BOTH_LINE = "If they aren't the ones you know, this isn't OTP Guard.";

/** For a person without an image, `CHOOSE` follows. */
export function imageLine({ image }: Pick<User, 'image'>, organization: Organization | null): ImageLine {
  if (!organization?.image) return { before: image ? OWN_LINE : '', name: '', after: '' };
  const before = image ? 'Your security image and that of ' : 'The security image of ';
  return { before, name: organization.name, after: `. ${image ? BOTH_LINE : ONE_LINE}` };
}

/** A statement and the text of the link after it. */
export const CHOOSE = ["You don't have a security image yet.", 'Choose one'] as const;
