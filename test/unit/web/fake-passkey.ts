/** A browser's answer after a touch; its parts are never verified in these tests. */
const ASSERTION = {
  id: 'key',
  rawId: new ArrayBuffer(1),
  type: 'public-key',
  getClientExtensionResults: Object,
  response: {
    authenticatorData: new ArrayBuffer(1),
    clientDataJSON: new ArrayBuffer(1),
    signature: new ArrayBuffer(1),
  },
};

class FakeCredential {}

/**
 * Gives the document a passkey. Call `touch` or `cancel` to answer the prompt, and `unplug` when the test ends.
 * Call this while a document is installed.
 */
export function plugInPasskey(): { touch: () => void; cancel: () => void; unplug: () => void } {
  let touch = () => {};
  let cancel = () => {};
  const touched = new Promise((resolve, reject) => {
    touch = () => resolve(ASSERTION);
    cancel = () => reject(new DOMException('The request is not allowed.', 'NotAllowedError'));
  });
  const fake = { PublicKeyCredential: FakeCredential, credentials: { get: () => touched } };
  Object.assign(window, { PublicKeyCredential: fake.PublicKeyCredential });
  Object.assign(globalThis, { PublicKeyCredential: fake.PublicKeyCredential });
  Object.defineProperty(navigator, 'credentials', { value: fake.credentials, configurable: true });
  return {
    touch,
    cancel,
    unplug() {
      Reflect.deleteProperty(window, 'PublicKeyCredential');
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
      Reflect.deleteProperty(navigator, 'credentials');
    },
  };
}
