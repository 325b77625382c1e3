/** The steps on the first device. */
export const DEVICE_STEPS = ['Authenticate', 'Scan', 'Confirm'] as const;
