/** Up to which block trades are alerts: all that were read, those that a few blocks are built on, or those that are final. */
export const ALERTS_AT = ["confirmed", "safe", "final"] as const;
export type AlertsAt = (typeof ALERTS_AT)[number];
export const ALERTS_AT_DEFAULT: AlertsAt = "confirmed";
