/** How to reach a running record store, and how its superuser signs in. */
export type StoreAddress = { url: string; email: string; password: string };
