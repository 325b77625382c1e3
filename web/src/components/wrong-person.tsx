import type { ProblemCode } from '../../../src/contract/problems.ts';
import { pullAddress } from '../lib/address/github.ts';
import { useClient, usePageContext, useUser } from '../lib/react/use-client.ts';
import { Card } from './card.tsx';
import { ChooseOrganization } from './choose-organization.tsx';
import { GithubLink, quietActionLink } from './controls.tsx';
import { HiddenOrganizations } from './hidden-organizations.tsx';
import { NotYou } from './not-you.tsx';
import { Notice } from './notice.tsx';
import { Label } from './text.tsx';

type Props = {
  title: string;
  /** Why the person can do nothing here. Without it, they aren't a member of the organization in the address. */
  refusal?: { code: ProblemCode | null; text: string };
};

/** Replaces a page that this person can't use. Nothing is broken, so it isn't shown as an error. */
export function WrongPerson({ title, refusal }: Props) {
  const { config } = useClient();
  const { username } = useUser();
  const context = usePageContext();
  const isMember = refusal && refusal.code !== 'notMember';
  return (
    <Card title={title}>
      <div role="status">
        <Notice variant="info">
          {isMember ? (
            refusal.text.split('\n').map((line) => <p key={line}>{line}</p>)
          ) : (
            <>
              <p>
                You're signed in as <strong>{username}</strong>, who isn't a member of{' '}
                {context.owner ? <Label text={context.owner} strong /> : 'this organization'}.
              </p>
              {/* An organization that GitHub hides looks the same. */}
              <p>Ask an owner for access. If you are a member, OTP Guard may not be installed there.</p>
            </>
          )}
        </Notice>
      </div>
      <HiddenOrganizations />
      <NotYou variant="primary">Use another account</NotYou>
      {context.pr ? (
        <GithubLink className={quietActionLink} href={pullAddress(config, context)}>
          Back to the pull request
        </GithubLink>
      ) : (
        <ChooseOrganization />
      )}
    </Card>
  );
}
