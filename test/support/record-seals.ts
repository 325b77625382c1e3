import { createRecordSeals } from '../../src/adapters/pocketbase/records/record-seals.ts';
import type { ReportForgedRecord } from '../../src/organizations/report-forged-record.ts';
import { createRecordMac } from '../../src/shared/crypto.ts';
import { SECRET_KEY } from './empty-store.ts';

/** The MACs of records, under the key of the products over a test's own store. */
export const recordSeals = (report: ReportForgedRecord = () => undefined) =>
  createRecordSeals(
    createRecordMac(() => [SECRET_KEY]),
    report,
  );
