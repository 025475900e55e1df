// Time and chance in a browser, which has no kit: the one place where pages ask for either.

export const now = (): number => Date.now();

/** From 0 to 1; spreads reconnects, decides nothing. */
export const chance = (): number => Math.random();
