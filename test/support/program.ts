import { resolve } from 'node:path';

/** The program that operators start. */
export const PROGRAM = resolve('dist/program/otp-guard.js');

/** The bundle of a script next to this file: scripts/bundle-programs.js. */
export const bundleOf = (script: string): string => resolve('dist-test', `${script}.js`);
