import { decodeBase64url } from './bytes.ts';

/** The members of WebAuthn's `CollectedClientData` (Level 3, section 5.8.1) that we check ourselves. */
export type ClientData = { challenge: string; crossOrigin: boolean; topOrigin: string | undefined };

/** Reads a ceremony's `clientDataJSON` (base64url); null if it isn't valid. */
export function parseClientData(clientDataJSON: string): ClientData | null {
  try {
    const bytes = decodeBase64url(clientDataJSON);
    const data: unknown =
      bytes && JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    if (typeof data !== 'object' || data === null) return null;
    const { challenge, crossOrigin, topOrigin } = data as Record<string, unknown>;
    if (typeof challenge !== 'string') return null;
    return {
      challenge,
      crossOrigin: crossOrigin !== undefined && crossOrigin !== false,
      topOrigin: topOrigin === undefined ? undefined : String(topOrigin),
    };
  } catch {
    return null;
  }
}

/** Whether the ceremony ran in our own page, not in a frame of another site. */
export function isTopLevel(data: ClientData): boolean {
  return !data.crossOrigin && data.topOrigin === undefined;
}
