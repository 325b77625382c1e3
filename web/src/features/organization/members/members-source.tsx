import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { Ago } from '../../../components/text.tsx';

type Props = { answer: Pick<OrganizationAnswer, 'accountType' | 'members'> };

/** Says where the list of members comes from, and how old it is. */
export const MembersSource = ({ answer: { accountType, members } }: Props) => (
  <p className="quiet">
    {members?.asOf ? (
      <>
        {members.enrolled} of {members.total} {members.enrolled === 1 ? 'has' : 'have'} an authenticator.
        Updated from GitHub <Ago at={members.asOf} />
      </>
    ) : (
      SOURCES[accountType]
    )}
  </p>
);

const SOURCES: Record<OrganizationAnswer['accountType'], string> = {
  User: 'GitHub has no list of members for a personal account. OTP Guard knows those who have signed in here.',
  Organization: 'OTP Guard is reading the list of members from GitHub.',
};
