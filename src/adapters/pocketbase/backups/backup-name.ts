const HOUR_MS = 60 * 60 * 1000;

const digitsOf = (time: Date) => time.toISOString().replace(/[^0-9]/g, '');

/** What a backup is called inside a record store while it's created or restored. */
export const backupName = (now: Date) => `otp_guard_${digitsOf(now)}.zip`;

/** Whether `name` is of our own, and older than a backup or restore takes: its process ended in the middle. */
export const isLeftover = (name: string, now: Date) =>
  name.startsWith('otp_guard_') && name < backupName(new Date(now.getTime() - HOUR_MS));
