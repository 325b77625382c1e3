/** A time as the record store writes it, for filters and for fields that are compared. */
export const storeTime = (at: Date): string => at.toISOString().replace('T', ' ');
