import {
  logExportRequest,
  logStatusRequest,
  receiptsExportRequest,
  receiptsRequest,
} from '../../contract/receipts.ts';
import type { ReceiptDeps } from '../../receipts/deps.ts';
import { exportLog } from '../../receipts/export-log.ts';
import { exportReceipts } from '../../receipts/export-receipts.ts';
import { headReceipts } from '../../receipts/head-receipts.ts';
import { logStatus } from '../../receipts/log-status.ts';
import { aboutOrg, callsOf, forReader, forSession } from './call.ts';

export const receiptCalls = callsOf<ReceiptDeps>([
  forSession('/receipts', 'proof', ({ ownerID }) => ({ orgID: ownerID }), receiptsRequest, headReceipts),
  forReader('/receipts-export', 'trial', aboutOrg, receiptsExportRequest, exportReceipts),
  forReader('/log-export', 'proof', aboutOrg, logExportRequest, exportLog),
  forSession('/organization-log', 'proof', aboutOrg, logStatusRequest, logStatus),
]);
