import type { ActivityData } from '../activity.ts';
import type { NoticeData } from '../notices.ts';
import { inParts } from '../parts.ts';
import { LONGEST_REASON } from '../reason.ts';
import { decisionWords, deployment, type LogWords, type Mails, plainTitle } from './words.ts';

const REFUSED = {
  fork: 'because its commit comes from a fork',
  otherCommit: 'because its commit isn’t the one that GitHub asked about',
} as const satisfies Record<NonNullable<ActivityData['why']>, string>;

/** The log's lines about deployments. */
export const deploymentsLog = {
  ...decisionWords('Deploy', { name: 'Approved a deployment', verb: 'approved' }),
  ...decisionWords('Reject', { name: 'Rejected a deployment', verb: 'rejected' }),
  deployBypass: {
    name: 'Deployed without an approval',
    isWarning: true,
    text: (data) => inParts`started the waiting jobs of ${deployment(data)} without an approval`,
  },
  deployRefuse: {
    name: 'A deployment was refused',
    isWarning: true,
    text: (data) =>
      inParts`started ${deployment(data)}, which OTP Guard refused${data.why ? ` ${REFUSED[data.why]}` : ''}`,
  },
} satisfies LogWords;

/** "octo-org/hello (run 7) to release" */
const mailedDeployment = ({ org, label, run, environment }: NoticeData): string =>
  `${org}/${label ?? ''} (run ${run ?? ''}) to ${plainTitle(environment ?? '')}`;

/** The e-mails about deployments. */
export const deploymentsMails = {
  deployRejected: (data) => ({
    subject: `A deployment of ${data.org}/${data.label ?? ''} was rejected`,
    parts: [
      `${data.by} rejected the deployment of ${mailedDeployment(data)}, which you started. Its jobs have failed.`,
      `${data.by} wrote: “${plainTitle(data.reason ?? '', LONGEST_REASON)}”.`,
    ],
  }),
  deployBypassed: (data) => ({
    withCheckpoint: true,
    subject: `${data.org}/${data.label ?? ''} was deployed without an approval`,
    parts: [
      `The jobs of ${mailedDeployment(data)} were started${data.by ? ` by ${data.by}` : ''}, but nobody had approved them in OTP Guard.`,
      'An administrator of the repository can start jobs that wait. If no one should, take that away in the settings of the environment on GitHub.',
    ],
  }),
  deployExpires: (data) => ({
    subject: `A deployment of ${data.org}/${data.label ?? ''} waits for 25 days`,
    parts: [
      `The deployment of ${mailedDeployment(data)} waits for an approval. GitHub lets its jobs fail after 30 days: approve or reject it before that.`,
    ],
  }),
} satisfies Mails;
