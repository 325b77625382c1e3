import { z } from 'zod';
import { githubId, objectOf, textLike } from './fields.ts';

/** The styles of security images. */
export const imageVariants = ['marble', 'beam', 'pixel', 'ring', 'bauhaus'] as const;

const NO_IMAGE = 'Choose an image first.';

/** A picture by which people recognize us: five colors, a style, and the text it is generated from. */
const securityImage = z.object(
  {
    /** 20 letters and digits. */
    name: textLike(/^[A-Za-z0-9]{20}$/, NO_IMAGE),
    /** `#rrggbb` each. */
    colors: z
      .array(textLike(/^#[0-9A-Fa-f]{6}$/, NO_IMAGE), { error: NO_IMAGE })
      .length(5, { error: NO_IMAGE }),
    variant: z.enum(imageVariants, { error: 'Choose one of marble, beam, pixel, ring and bauhaus.' }),
  },
  { error: NO_IMAGE },
);
export type SecurityImage = z.infer<typeof securityImage>;

/** `POST /github-set-image`: the image of an organization. */
export const organizationImage = z.object({
  orgID: githubId('Missing org ID'),
  image: objectOf(securityImage),
});

/** `POST /personal-set-image`; `orgID` is 0 there. */
export const personalImage = z.object({
  orgID: z.coerce
    .number<number | string>({ error: 'A personal image has no organization.' })
    .refine((id) => id === 0, { error: 'A personal image has no organization.' }),
  image: objectOf(securityImage),
});

/** The answer of both calls. */
export type ImageAnswer = { image: SecurityImage };
