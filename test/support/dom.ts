import { importPackage } from './built.ts';

// A worker loads the 600 modules of happy-dom once: they would take each test file half a second.
const { Window } = await importPackage<typeof import('happy-dom')>('happy-dom');

/*
 * A document in this process. Other test files in the same process must not see it, so each file installs and removes
 * it. React looks for a document when it loads: import React, and modules that import it, after `installDom`.
 */

const browser = new Window({ url: 'https://guard.example.org' });
const names = ['navigator', ...Object.getOwnPropertyNames(browser).filter((name) => !(name in globalThis))];

/** A realtime feed of the record store that connects and then stays silent. */
class SilentFeed {
  addEventListener(name: string, listener: (event: object) => void) {
    if (name === 'PB_CONNECT') queueMicrotask(() => listener({ lastEventId: 'feed', data: '{}' }));
  }
  removeEventListener() {}
  close() {}
}

/** Adds the browser's globals to Node's; returns a function that removes them. */
export function installDom(): () => void {
  const nodeNavigator = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  for (const name of names) {
    const value = name === 'window' ? browser : Reflect.get(browser, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  Object.assign(browser, { EventSource: SilentFeed });
  Object.assign(globalThis, { EventSource: SilentFeed });
  return () => {
    for (const name of [...names, 'EventSource']) Reflect.deleteProperty(globalThis, name);
    if (nodeNavigator) Object.defineProperty(globalThis, 'navigator', nodeNavigator);
  };
}

/** Opens an address with empty local and session storage. */
export function openInNewTab(address: string): void {
  browser.happyDOM.setURL(new URL(address, browser.location.origin).href);
  browser.localStorage.clear();
  browser.sessionStorage.clear();
}
