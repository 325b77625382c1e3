import { type CallRooms, listCalls } from '../../src/http/calls.ts';

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The ports of all rooms in one object. */
export const flat = <Rooms extends Record<string, object>>(rooms: Rooms) =>
  Object.assign({}, ...Object.values(rooms)) as Intersection<Rooms[keyof Rooms]>;

/** One object for each room, if it has what all of them take. */
export const everyRoom = (deps: object) => new Proxy({}, { get: () => deps }) as unknown as CallRooms;

/** The calls, to read what they are. None of them can run. */
export const calls = listCalls(everyRoom({}));
