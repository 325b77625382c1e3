import { Window } from 'happy-dom';

/*
 * A document in this process. Tests share the process with others that must not see it, so a file puts it up and takes
 * it down again. React looks for a document when it is loaded: import it, and what imports it, after `putUpDom`.
 */

const browser = new Window({ url: 'https://guard.example.org' });
const names = ['navigator', ...Object.getOwnPropertyNames(browser).filter((name) => !(name in globalThis))];

/** A feed of the record store's that connects and then never says anything. */
class SilentFeed {
  addEventListener(name: string, hear: (event: object) => void) {
    if (name === 'PB_CONNECT') queueMicrotask(() => hear({ lastEventId: 'feed', data: '{}' }));
  }
  removeEventListener() {}
  close() {}
}

/** Puts the browser's globals beside those of Node; the answer takes them away again. */
export function putUpDom(): () => void {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  for (const name of names) {
    const value = name === 'window' ? browser : Reflect.get(browser, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  Object.assign(browser, { EventSource: SilentFeed });
  Object.assign(globalThis, { EventSource: SilentFeed });
  return () => {
    for (const name of [...names, 'EventSource']) Reflect.deleteProperty(globalThis, name);
    if (before) Object.defineProperty(globalThis, 'navigator', before);
  };
}

/** Goes to an address as a new tab does: nothing is kept in the tab, and nothing on the device. */
export function visitAfresh(address: string): void {
  browser.happyDOM.setURL(new URL(address, browser.location.origin).href);
  browser.localStorage.clear();
  browser.sessionStorage.clear();
}
