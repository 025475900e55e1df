// The word that refers to a list being transferred to a chat.

/** In a link, and after /follow. */
export const CARRIED_WORD = /^list_([A-Za-z0-9]{22})$/;
export const carriedWord = (code: string): string => `list_${code}`;
