/** The private key in PEM that the App has in all tests. */
export const APP_KEY = process.env.TEST_APP_KEY ?? '';
