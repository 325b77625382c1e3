/** Marks types; it has no value. */
export declare const checked: unique symbol;

/**
 * A port that leaves out each record whose signature doesn't verify. A record that doesn't can't stand in its place.
 */
export type Verified<Port> = Port & { readonly [checked]: 'verified' };

/** A port that leaves out each authenticator that needs a vouch by now. */
export type Trusted<Port> = Port & { readonly [checked]: 'trusted' };
