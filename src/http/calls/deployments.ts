import { deployCheck, deployParams } from '../../contract/deployments.ts';
import { decide } from '../../deployments/decide/decide.ts';
import { deployOptions } from '../../deployments/decide/deploy-options.ts';
import type { DeployCallDeps } from '../../deployments/deps.ts';
import { callsOf, forPerson, forReader, proofIn, type RoomCall } from './call.ts';

const aboutOwner = ({ ownerID }: { ownerID: number }) => ({ orgID: ownerID });

/** The reason of a rejection; undefined for an approval, which signs none. */
const reasonOf = ({ decision, reason }: { decision: 'approve' | 'reject'; reason?: string | undefined }) =>
  decision === 'reject' ? (reason ?? '') : undefined;

const calls: RoomCall<DeployCallDeps>[] = [
  forReader(
    '/deploy-params',
    'approval',
    aboutOwner,
    deployParams,
    (deps, { session, type, decision, reason, ...target }) =>
      deployOptions(deps, { person: session, target, reason: reasonOf({ decision, reason }), method: type }),
  ),
  forPerson(
    '/deploy-check',
    'approval',
    ({ params }) => aboutOwner(params),
    deployCheck,
    (deps, { person, params: target, ...body }) =>
      decide(deps, { person, target, reason: reasonOf(body), proof: proofIn(body) }),
  ),
];

export const deploymentCalls = callsOf(calls, { delaysWebhooks: true });
