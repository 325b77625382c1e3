import { actionLink } from './button.tsx';
import { KeptLink } from './kept-link.tsx';

const NONE = { owner: null, ownerID: null, installation: null };

type Props = {
  /** The page of the dashboard that is about one organization; where it is left out, the person goes home to choose. */
  target?: string;
};

/** The way on from a page that lacks its organization. */
export const ChooseOrganization = ({ target }: Props) => (
  <p>
    <KeptLink
      className={actionLink}
      to={target ? '/select-org' : '/'}
      query={target ? { ...NONE, target } : NONE}
    >
      Choose an organization
    </KeptLink>
  </p>
);
