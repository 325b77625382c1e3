import {
  logExportRequest,
  logStatusRequest,
  receiptsExportRequest,
  receiptsRequest,
} from '../../contract/receipts.ts';
import { exportLog, type LogExportDeps } from '../../receipts/export-log.ts';
import { exportReceipts, type ReceiptsExportDeps } from '../../receipts/export-receipts.ts';
import { type HeadReceiptsDeps, headReceipts } from '../../receipts/head-receipts.ts';
import { type LogStatusDeps, logStatus } from '../../receipts/log-status.ts';
import { callsWith } from './call.ts';

export type ReceiptCallDeps = HeadReceiptsDeps & ReceiptsExportDeps & LogExportDeps & LogStatusDeps;

const { forSession, forReader } = callsWith<ReceiptCallDeps>();

export const receiptCalls = [
  forSession('/receipts', 'proof', receiptsRequest, (deps, { session, ...target }) =>
    headReceipts(deps, { session, target }),
  ),
  forReader('/receipts-export', 'trial', receiptsExportRequest, (deps, { session, orgID, ...query }) =>
    exportReceipts(deps, { session, orgID, query }),
  ),
  forReader('/log-export', 'proof', logExportRequest, exportLog),
  forSession('/organization-log', 'proof', logStatusRequest, logStatus),
];
