import { ChooseOrganization } from './choose-organization.tsx';
import { HiddenOrganizations } from './hidden-organizations.tsx';
import { NotYou } from './not-you.tsx';

/** Says who isn't a member; an organization that GitHub hides, or where OTP Guard isn't installed, looks the same. */
export const notAMemberText = (login: string, organization: string) =>
  `${login} isn't a member of ${organization || 'this organization'}. Ask an owner for access, or switch accounts.\nIf you are a member, OTP Guard may not be installed there.`;

/** The ways on for a person who isn't a member: single sign-on, another organization or another account. */
export const NotAMember = () => (
  <>
    <HiddenOrganizations />
    <ChooseOrganization />
    <NotYou />
  </>
);
