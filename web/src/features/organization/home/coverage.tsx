import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { Notice } from '../../../components/notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { coverageText } from './home-texts.ts';

const BLOCKED = 'Merges are blocked only where the check is required.';

/** Which pull requests OTP Guard checks; for members, who don't see how their organization is set up. */
export function Coverage({ answer }: { answer: OrganizationAnswer | null }) {
  if (!answer) {
    return (
      <>
        <p>
          <Skeleton like="OTP Guard checks every pull request in every repository." />
        </p>
        <p>
          <Skeleton like={BLOCKED} />
        </p>
      </>
    );
  }
  const text = coverageText(answer.installation);
  if (!answer.installation.suspended) {
    return (
      <>
        <p>{text}</p>
        <p>{BLOCKED}</p>
      </>
    );
  }
  return (
    <Notice look="warning">
      <p>{text}</p>
      <p>Ask an owner to unsuspend it.</p>
    </Notice>
  );
}
