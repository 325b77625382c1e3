import { ActionLink } from './controls.tsx';

const NO_ORGANIZATION = { owner: null, ownerID: null, installation: null };

type Props = {
  /** The page to open for the chosen organization; without it, the link goes to the organizations at home. */
  target?: string;
};

/** Shown on a page whose address names no organization. */
export const ChooseOrganization = ({ target }: Props) => (
  <p>
    <ActionLink
      to={target ? '/select-org' : '/'}
      query={target ? { ...NO_ORGANIZATION, target } : NO_ORGANIZATION}
    >
      Choose an organization
    </ActionLink>
  </p>
);
