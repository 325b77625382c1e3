/** What a backup is called inside the record store while it's created or restored. */
export const backupName = (now: Date) => `otp_guard_${now.toISOString().replace(/[^0-9]/g, '')}.zip`;
