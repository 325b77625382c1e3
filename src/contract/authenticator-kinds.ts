/** The facts about a kind of authenticator that server and dashboard share. */
export type AuthenticatorKind = {
  /** The title in lists and on buttons. */
  title: string;
  /** The name in a sentence, without its article. */
  noun: string;
  /** The means of an approval, with its article. */
  method: string;
  /** The record store's collection. */
  collection: 'webauthn' | 'totps';
  /** The activity of a registration, and of a decision by the purpose of its statement. */
  registered: 'webauthnRegister' | 'totpRegister';
  approve: 'webauthnCollect' | 'totpCollect';
  deny: 'webauthnDeny' | 'totpDeny';
  deploy: 'webauthnDeploy' | 'totpDeploy';
  reject: 'webauthnReject' | 'totpReject';
  /** True if its holder may change its label. */
  isRenamable: boolean;
  /** True if its label is a name that its holder chose. */
  hasOwnLabel: boolean;
  offer?: Offer;
};

/** Which authenticators a browser offers when a person registers one: WebAuthn Level 3, sections 5.4.4 and 5.8.7. */
type Offer = {
  selection: {
    authenticatorAttachment: 'platform' | 'cross-platform';
    residentKey: 'preferred' | 'discouraged';
  };
  hints: ['client-device' | 'hybrid' | 'security-key'];
};

/** The offer for a passkey on a phone, which the person registers with a browser on another device. */
export const phoneOffer: Offer = {
  selection: { authenticatorAttachment: 'cross-platform', residentKey: 'preferred' },
  hints: ['hybrid'],
};

/**
 * The WebAuthn user handle of a person (by record id) in one organization is SHA-256 over this text. Each organization has
 * its own, because an authenticator keeps one passkey per handle and would replace the first organization's with the
 * second's.
 */
export const userHandleText = (userId: string, orgId: number | string): string =>
  `otp-guard:user-handle:${userId}:${orgId}`;

/**
 * Every kind of authenticator. To add one, add it here, its icon and texts to the
 * dashboard's `components/kinds.ts`, and its registration page.
 */
export const authenticatorKinds = {
  totp: {
    title: 'Authenticator app',
    noun: 'authenticator app',
    method: 'a one-time code',
    collection: 'totps',
    registered: 'totpRegister',
    approve: 'totpCollect',
    deny: 'totpDeny',
    deploy: 'totpDeploy',
    reject: 'totpReject',
    isRenamable: false,
    hasOwnLabel: false,
  },
  passkey: {
    title: 'Passkey',
    noun: 'passkey',
    method: 'a passkey',
    collection: 'webauthn',
    registered: 'webauthnRegister',
    approve: 'webauthnCollect',
    deny: 'webauthnDeny',
    deploy: 'webauthnDeploy',
    reject: 'webauthnReject',
    isRenamable: false,
    hasOwnLabel: true,
    offer: {
      selection: { authenticatorAttachment: 'platform', residentKey: 'preferred' },
      hints: ['client-device'],
    },
  },
  'security-key': {
    title: 'Security key',
    noun: 'security key',
    method: 'a security key',
    collection: 'webauthn',
    registered: 'webauthnRegister',
    approve: 'webauthnCollect',
    deny: 'webauthnDeny',
    deploy: 'webauthnDeploy',
    reject: 'webauthnReject',
    isRenamable: true,
    hasOwnLabel: true,
    // A security key can store only a few discoverable credentials, and our requests list ours anyway.
    offer: {
      selection: { authenticatorAttachment: 'cross-platform', residentKey: 'discouraged' },
      hints: ['security-key'],
    },
  },
} as const satisfies Record<string, AuthenticatorKind>;

export type AuthenticatorType = keyof typeof authenticatorKinds;

/** The kinds that use WebAuthn. */
export type WebauthnType = {
  [T in AuthenticatorType]: (typeof authenticatorKinds)[T]['collection'] extends 'webauthn' ? T : never;
}[AuthenticatorType];

export const authenticatorTypes = Object.keys(authenticatorKinds) as AuthenticatorType[];
export const webauthnTypes = authenticatorTypes.filter(
  (type): type is WebauthnType => authenticatorKinds[type].collection === 'webauthn',
);
