/** Whether something is in order, needs fixing, or can't be checked. */
export type Status = 'good' | 'wrong' | 'unknown';
