import type { ReportForgedRecord } from '../../../organizations/report-forged-record.ts';
import type { RecordMac } from '../../../shared/record-mac.ts';
import { type CoveredCollection, coveredValues, organizationOf, type Row } from './covered-fields.ts';

/** The MACs of records. Without them, anyone with access to the database could write an approval. */
export type RecordSeals = {
  /** The MAC to store with this record. */
  macOf(collection: CoveredCollection, row: Row): string;
  /** Whether OTP Guard wrote this record; reports it if not. */
  isOurs(collection: CoveredCollection, row: Row): boolean;
};

export function createRecordSeals(mac: RecordMac, report: ReportForgedRecord): RecordSeals {
  return {
    macOf: (collection, row) => mac.sign(collection, row.id, coveredValues(collection, row)),
    isOurs(collection, row) {
      const isOurs = mac.verify(collection, row.id, coveredValues(collection, row), String(row.mac ?? ''));
      if (!isOurs) report({ collection, id: row.id, org: organizationOf(collection, row), reason: 'MAC' });
      return isOurs;
    },
  };
}
