// zod for all test files of a worker: its 95 modules take each file a tenth of a second. Schemas don't depend on the file
// that loads them.
export const { config, z } = await globalThis.worker.importPackage('zod');
