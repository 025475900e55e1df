/** Which blocks' trades become alerts: all blocks read, those with a few blocks on top, or final ones only. */
export const ALERTS_AT = ["confirmed", "safe", "final"] as const;
export type AlertsAt = (typeof ALERTS_AT)[number];
export const ALERTS_AT_DEFAULT: AlertsAt = "confirmed";
