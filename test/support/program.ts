import { resolve } from 'node:path';

/** The bundle of a built program or of a script beside this file: scripts/bundle-programs.js. */
export const bundleOf = (program: string): string => resolve('dist-test', program);
