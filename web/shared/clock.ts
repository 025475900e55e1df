// The time in a browser: the only place where pages read it.

export const now = (): number => Date.now();
