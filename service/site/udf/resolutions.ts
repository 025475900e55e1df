// The widths of bars, by the charts' names and the API's.
import { fault } from "../../../contract/errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";

export const RESOLUTIONS = {
  "1": { interval: "1m", lengthMs: MINUTE_MS },
  "5": { interval: "5m", lengthMs: 5 * MINUTE_MS },
  "15": { interval: "15m", lengthMs: 15 * MINUTE_MS },
  "60": { interval: "1h", lengthMs: HOUR_MS },
  "240": { interval: "4h", lengthMs: 4 * HOUR_MS },
  "1D": { interval: "1d", lengthMs: DAY_MS },
} as const;

export type Resolution = (typeof RESOLUTIONS)[keyof typeof RESOLUTIONS];

export interface Range {
  resolution: Resolution;
  fromMs: number;
  toMs: number;
}

export function readRange(query: URLSearchParams): Range {
  const name = query.get("resolution") ?? "";
  // Libraries shorten "1D".
  const known = RESOLUTIONS[(name === "D" ? "1D" : name) as keyof typeof RESOLUTIONS];
  if (!Object.hasOwn(RESOLUTIONS, name === "D" ? "1D" : name))
    throw fault("invalid_parameter", `resolution must be one of ${Object.keys(RESOLUTIONS).join(", ")}.`, {
      param: "resolution",
      allowed: Object.keys(RESOLUTIONS),
    });
  const range = { resolution: known, fromMs: readSeconds(query, "from"), toMs: readSeconds(query, "to") };
  if (range.fromMs >= range.toMs)
    throw fault("invalid_parameter", "from must be earlier than to.", { param: "from" });
  return range;
}

/** Some libraries send times before 1970, or the end of time. */
function readSeconds(query: URLSearchParams, param: "from" | "to"): number {
  const text = query.get(param) ?? "";
  if (!/^-?\d{1,15}(\.\d{1,9})?$/.test(text))
    throw fault("invalid_parameter", `${param} must be a time in seconds since 1970.`, { param });
  return Math.min(Math.max(Math.floor(Number(text) * 1_000), 0), LAST_MS);
}
/** The end of the year 9999. */
const LAST_MS = 253_402_300_799_999;
