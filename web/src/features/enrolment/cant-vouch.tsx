import type { EnrolmentAnswer } from '../../../../src/contract/enrolment.ts';
import { Banner } from '../../components/banner.tsx';
import { actionLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { findOrganization } from '../../lib/organizations.ts';
import { keepQuery } from '../../lib/page-context.ts';
import { useUser } from '../../lib/use-client.ts';

type Props = { enrolment: EnrolmentAnswer; organization: NamedOrganization };

/** Why the person can't vouch: they lack the role, or a passkey or security key. */
export function CantVouch({ enrolment: { vouchers }, organization: { org, orgID } }: Props) {
  const role = findOrganization(useUser(), { owner: org, ownerID: orgID })?.role;
  if (vouchers === 'owners' && role !== 'admin') {
    return (
      <Card title="Vouch">
        <p>
          In <strong>{org}</strong>, only owners vouch. Pass the link on to one of them.
        </p>
      </Card>
    );
  }
  return (
    <Card title="Vouch">
      <p>
        You vouch with a passkey or security key of your own, and you don't have one in <strong>{org}</strong>{' '}
        that counts.
      </p>
      <InternalLink
        className={actionLink}
        to="/register"
        query={{ redirectURL: keepQuery('/org', '', { owner: org, ownerID: orgID }) }}
      >
        Register one
      </InternalLink>
    </Card>
  );
}

/** The link is an old one. */
export const NotWaiting = () => (
  <Card
    title="Vouch"
    banner={
      <Banner text="This authenticator doesn't wait. It was confirmed, replaced or removed meanwhile." />
    }
  >
    <InternalLink className={actionLink} to="/org" query={{ authenticator: null }}>
      See who waits
    </InternalLink>
  </Card>
);
