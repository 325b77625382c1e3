/** How something stands: as it should, not so, or nobody knows. */
export type Mark = 'good' | 'wrong' | 'unknown';
