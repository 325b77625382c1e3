import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import type { ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import type { ProblemCode } from '../../../../src/contract/problems.ts';
import { Card } from '../../components/card.tsx';
import { actionLink, GithubLink } from '../../components/controls.tsx';
import { NotYou } from '../../components/not-you.tsx';
import { WrongPerson } from '../../components/wrong-person.tsx';
import { pullAddress } from '../../lib/address/github.ts';
import { collectPath, keepQuery } from '../../lib/address/page-context.ts';
import { codeOf, NO_ACCESS, sentenceOf } from '../../lib/api/api-client.ts';
import { useClient, usePageContext, useUser } from '../../lib/react/use-client.ts';
import { authenticatorsOf } from '../../lib/session/user.ts';
import { hasWebauthn, OTHER_BROWSER } from '../../lib/signing/abilities.ts';
import { LoadingApprovalPage } from './approval-page.tsx';
import { fetchShown, readMove } from './approval-request.ts';
import { type ApprovalTarget, TITLE } from './approval-target.ts';
import { PassedPull, PullOver } from './finished.tsx';
import { endOf, type PullEnd } from './problem.ts';
import { PullOverview } from './pull-overview.tsx';
import { useTakeAddress } from './use-approval.ts';
import { APPROVE_TOO, askedForm, verdictOf } from './view-of.ts';

type Finding =
  | { kind: 'looking' | 'may-register' }
  | { kind: 'over'; how: PullEnd }
  /** Nothing waits for this person. */
  | { kind: 'passed'; shown: ApprovalParamsAnswer }
  /** The person can't approve here, and has nothing to register for. */
  | { kind: 'refused'; text: string; shown: ApprovalParamsAnswer }
  | { kind: 'wrong-person'; refusal: { code: ProblemCode | null; text: string } };

/**
 * The person's authenticators may be in another organization: the one to which the repository was transferred. If not,
 * this is the first page of a registration, and says if that would lead nowhere.
 */
export default function FindOrRegister({ target }: { target: ApprovalTarget }) {
  const { api, session, config } = useClient();
  const context = usePageContext();
  const { search } = useLocation();
  const wantsForm = askedForm(search) !== null;
  const takeAddress = useTakeAddress();
  const hasKey = authenticatorsOf(useUser(), context.ownerID).webauthn.length > 0;
  const [finding, setFinding] = useState<Finding>({ kind: 'looking' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once for each address; the key makes another one another component.
  useEffect(() => {
    const read = (type?: 'show-code') => fetchShown({ api, accessToken: session.accessToken }, target, type);
    read()
      .then(async (shown) => {
        const move = readMove(target, shown);
        if (move && takeAddress(move)) return;
        if (shown.passed && !wantsForm) return setFinding({ kind: 'passed', shown });
        const refusal = shown.refusal ?? (hasWebauthn() ? null : await whyNoCode(read, hasKey));
        setFinding(refusal === null ? { kind: 'may-register' } : { kind: 'refused', text: refusal, shown });
      })
      .catch((error: unknown) => setFinding(findingOfError(error)));
  }, []);
  if (finding.kind === 'looking') return <LoadingApprovalPage />;
  if (finding.kind === 'over') {
    return (
      <Card title={`Pull request ${finding.how}`}>
        <PullOver how={finding.how} overview={null} />
      </Card>
    );
  }
  if (finding.kind === 'passed') {
    return (
      <Card title={verdictOf(finding.shown)}>
        <PassedPull
          request={finding.shown}
          overview={<PullOverview request={finding.shown} loading={false} changes={null} />}
        />
      </Card>
    );
  }
  if (finding.kind === 'wrong-person') return <WrongPerson title={TITLE} refusal={finding.refusal} />;
  if (finding.kind === 'refused') {
    return (
      <Card title={TITLE} banner={finding.text}>
        <PullOverview request={finding.shown} loading={false} changes={null} />
        <GithubLink className={actionLink} href={pullAddress(config, context)}>
          Back to the pull request
        </GithubLink>
        <NotYou variant="bar" />
      </Card>
    );
  }
  const back = collectPath(context) + (wantsForm ? `&${new URLSearchParams(APPROVE_TOO)}` : '');
  return <Navigate to={keepQuery('/register', search, { redirectURL: back })} replace />;
}

/** Says why a person can't approve in a browser that can only do one-time codes; null if they can register an app. */
async function whyNoCode(
  read: (type: 'show-code') => Promise<ApprovalParamsAnswer>,
  hasKey: boolean,
): Promise<string | null> {
  if (hasKey) return OTHER_BROWSER;
  const { refusal } = await read('show-code');
  return refusal && `${refusal}\n${OTHER_BROWSER}`;
}

/** Lets the registration continue without an answer: its pages say why it can't. */
function findingOfError(error: unknown): Finding {
  const how = endOf(error);
  if (how) return { kind: 'over', how };
  const code = codeOf(error);
  if (NO_ACCESS.includes(code)) return { kind: 'wrong-person', refusal: { code, text: sentenceOf(error) } };
  return { kind: 'may-register' };
}
