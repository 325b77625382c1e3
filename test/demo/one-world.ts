import { afterAll, beforeAll } from '@jest/globals';
import { startWorld, type World } from './world.ts';

/** One local GitHub for all tests of the file that imports this. */
export let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
