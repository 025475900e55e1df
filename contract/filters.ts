// The filter of the feed, as clients write it: the same fields with the same meaning in the query of /v2/alerts, in the
// query of a socket and in a subscribe frame. Fields are combined with AND, the values of one with OR; case is ignored.
import { z } from "zod";
import { decimal, parameter } from "./parts.ts";
import { ALERT_SOURCES, ALERT_TYPES } from "./shapes/activity.ts";
import { SIDES } from "./shapes/trades.ts";

/** As many names as upstream serves per following list: a whole list fits into one filter. */
export const FILTER_VALUES_MAX = 200;
/** Traders, ids and tokens of one filter together: each of them is looked up. */
export const FILTER_NAMES_MAX = 250;
/** Longer than any handle, symbol or address. */
export const FILTER_VALUE_LENGTH_MAX = 64;
export const MIN_USD_MAX = 1e12;

const commas = (description: string) =>
  parameter(
    z
      .string()
      .min(1)
      .max(FILTER_VALUES_MAX * (FILTER_VALUE_LENGTH_MAX + 1)),
    {
      must: `must be one value, or at most ${FILTER_VALUES_MAX} separated by commas`,
      description: `${description} Several are separated by commas.`,
      schema: { type: "string" },
    },
  ).optional();

const shared = {
  userId: commas("Only this trader, by id."),
  token: commas("Only this token: a symbol, $SYMBOL or an address."),
  chain: commas("Only this chain: its name or number."),
  minUsd: decimal(MIN_USD_MAX, "Only fills of at least this many dollars.").optional(),
};

export const ALERT_FILTER = {
  trader: commas("Only this trader: a handle or userId."),
  ...shared,
  type: commas(`Only this kind: ${ALERT_TYPES.join(", ")}.`),
  source: commas(`Only from: ${ALERT_SOURCES.join(", ")}.`),
};

export const TRADE_FILTER = {
  trader: commas("Only this trader: a handle, userId or wallet."),
  ...shared,
  side: commas(`Only: ${SIDES.join(", ")}.`),
};

/** Fields that refer to a trader or a token, which may be unknown. */
export type NamingField = "trader" | "userId" | "token";
