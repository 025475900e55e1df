// The time in a browser: the one place where pages ask for it.

export const now = (): number => Date.now();
