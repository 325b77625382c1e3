import { z } from 'zod';
import { emailCodeProof } from '../../contract/email.ts';
import { type ImageAnswer, personalImage } from '../../contract/image.ts';
import type { PeopleCallDeps } from '../../people/deps.ts';
import { confirmEmail } from '../../people/email-code.ts';
import { aboutNothing, callsOf, forSession } from './call.ts';

/** The body of a call says nothing. */
const anything = z.unknown().transform(() => ({})) as z.ZodType<object, object>;

export const peopleCalls = callsOf<PeopleCallDeps>([
  forSession('/github-confirm-email', 'local', aboutNothing, emailCodeProof, confirmEmail),
  forSession(
    '/personal-set-image',
    'local',
    aboutNothing,
    personalImage,
    async (deps, { session, image }) => {
      await deps.users.setImage(session.userId, image);
      return { image } satisfies ImageAnswer;
    },
  ),
  // It ends the session, so it's made once, and who lost their session to a thief has to be able to make it.
  forSession('/logout', null, aboutNothing, anything, (deps, { session }) =>
    deps.sessions.endAll(session.userId),
  ),
]);
